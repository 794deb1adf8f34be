import { Anchor, Checkbox, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import { Form, useSending } from '../core/form.tsx'
import { showNotice } from '../core/notice.ts'
import { pageText } from '../core/page-text.ts'
import { auth, takeAuth } from './auth.ts'

interface Props {
  onDone(): void
  onBack(): void
}

/** After the password: a code of the authenticator app, or a recovery code. */
export function SecondFactor({ onDone, onBack }: Props) {
  const [isRecovery, setRecovery] = useState(false)
  const Way = isRecovery ? WithRecoveryCode : WithCode
  return (
    <Stack gap="md">
      <div>
        <Title order={2}>{pageText.users.secondFactor}</Title>
        <Text c="dimmed">{isRecovery ? pageText.users.recoveryAbout : pageText.users.secondFactorAbout}</Text>
      </div>
      <Way onDone={onDone} />
      <Group justify="space-between">
        <Anchor component="button" type="button" size="sm" onClick={() => setRecovery(!isRecovery)}>
          {isRecovery ? pageText.users.useCode : pageText.users.useRecovery}
        </Anchor>
        <Anchor component="button" type="button" size="sm" onClick={onBack}>
          {pageText.users.startOver}
        </Anchor>
      </Group>
    </Stack>
  )
}

function WithCode({ onDone }: Pick<Props, 'onDone'>) {
  const sending = useSending({
    initialValues: { code: '', trustDevice: false },
    validate: { code: value => (/^\d{6}$/.test(value) ? null : pageText.users.codeNeeded) },
    attemptOf: ({ code }) => code,
    send: values => takeAuth(() => auth.twoFactor.verifyTotp(values)),
    onDone,
  })
  const { form } = sending
  return (
    <Form sending={sending} action={pageText.users.goOn} isWide>
      <CodeInput {...form.getInputProps('code')} onComplete={() => sending.submit()} />
      <Checkbox label={pageText.users.trust} {...form.getInputProps('trustDevice', { type: 'checkbox' })} />
    </Form>
  )
}

interface CodeInputProps {
  value?: string
  onChange?(value: string): void
  error?: React.ReactNode
  onComplete?(): void
}

/** Six digits, typed or pasted in any form. The last digit submits them. */
export function CodeInput({ value = '', onChange, error, onComplete }: CodeInputProps) {
  const take = (typed: string) => {
    const digits = typed.replaceAll(/\D/g, '').slice(0, 6)
    onChange?.(digits)
    if (digits.length === 6 && value.length < 6) setTimeout(() => onComplete?.())
  }
  return (
    <TextInput
      label={pageText.users.code}
      inputMode="numeric"
      autoComplete="one-time-code"
      dir="ltr"
      data-autofocus
      autoFocus
      value={value}
      error={error}
      onChange={event => take(event.currentTarget.value)}
      styles={{ input: { fontSize: '1.25rem', letterSpacing: '0.3em', fontVariantNumeric: 'tabular-nums' } }}
    />
  )
}

/** The server adds this field to the library's response. */
interface CodesLeft {
  recovery_codes_left: number
}

function WithRecoveryCode({ onDone }: Pick<Props, 'onDone'>) {
  const sending = useSending({
    initialValues: { code: '' },
    validate: { code: value => (value.trim() ? null : pageText.users.codeNeeded) },
    attemptOf: ({ code }) => code.trim(),
    send: ({ code }) => takeAuth(() => auth.twoFactor.verifyBackupCode({ code: code.trim() })),
    onDone: answer => {
      showNotice(pageText.account.recoveryLeft((answer as unknown as CodesLeft).recovery_codes_left))
      onDone()
    },
  })
  return (
    <Form sending={sending} action={pageText.users.goOn} isWide>
      <TextInput
        label={pageText.users.recoveryCode}
        autoComplete="off"
        data-autofocus
        autoFocus
        {...sending.form.getInputProps('code')}
      />
    </Form>
  )
}
