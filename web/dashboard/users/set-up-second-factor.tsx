import { Center, Code, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Form, useSending } from '../core/form.tsx'
import { pageText } from '../core/page-text.ts'
import { QrCode } from '../core/qr-code.tsx'
import { AskPassword } from './ask-password.tsx'
import { auth, takeAuth } from './auth.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import { CodeInput } from './second-factor.tsx'

interface Secret {
  totpURI: string
  backupCodes: string[]
}

/** Password, authenticator code, recovery codes: setup is complete only after the last. */
export function SetUpSecondFactor({ onDone }: { onDone(): void }) {
  const [secret, setSecret] = useState<Secret | null>(null)
  const [isConfirmed, setConfirmed] = useState(false)
  if (!secret) {
    return (
      <AskPassword
        about={pageText.account.factorAbout}
        action={pageText.users.goOn}
        send={password => takeAuth(() => auth.twoFactor.enable({ password: password! }))}
        onDone={answer => 'totpURI' in answer && setSecret(answer)}
      />
    )
  }
  if (!isConfirmed) return <Confirm uri={secret.totpURI} onDone={() => setConfirmed(true)} />
  return <RecoveryCodes codes={secret.backupCodes} onDone={onDone} />
}

function Confirm({ uri, onDone }: { uri: string; onDone(): void }) {
  const sending = useSending({
    initialValues: { code: '' },
    validate: { code: value => (/^\d{6}$/.test(value) ? null : pageText.users.codeNeeded) },
    attemptOf: ({ code }) => code,
    send: ({ code }) => takeAuth(() => auth.twoFactor.verifyTotp({ code })),
    onDone,
  })
  const key = new URL(uri).searchParams.get('secret') ?? ''
  return (
    <Form sending={sending} action={pageText.account.confirm}>
      <Text>{pageText.account.scan}</Text>
      <Center>
        <QrCode text={uri} label={pageText.account.scanAlt} />
      </Center>
      <Stack gap={4}>
        <Text size="sm" c="dimmed">
          {pageText.account.manual}
        </Text>
        <Code dir="ltr" data-testid="totp-key" style={{ overflowWrap: 'anywhere' }}>
          {key.replaceAll(/(.{4})(?=.)/g, '$1 ')}
        </Code>
      </Stack>
      <CodeInput {...sending.form.getInputProps('code')} />
    </Form>
  )
}
