import { Group, NumberInput, PasswordInput, Select, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { pageText } from '../core/page-text.ts'
import type { MailboxImap } from './queries.ts'

export interface HostValues extends Record<string, unknown> {
  imap: Pick<MailboxImap, 'host' | 'port' | 'security' | 'user'>
}

export interface ServerValues extends HostValues {
  imap: HostValues['imap'] & { password: string }
}

interface Props<V extends HostValues> {
  form: UseFormReturnType<V>
}

const usualPorts = { tls: 993, starttls: 143, none: 143 }

/** The IMAP server of a mailbox. A change of the encryption also changes the port if it is a usual one. */
export function HostFields<V extends HostValues>({ form }: Props<V>) {
  const { host, port, security, securities } = pageText.mailboxes
  const chosen = form.getInputProps('imap.security')
  return (
    <>
      <TextInput
        label={host}
        dir="ltr"
        maw={420}
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps('imap.host')}
      />
      <Group align="flex-start">
        <Select
          label={security}
          allowDeselect={false}
          data={Object.entries(securities).map(([value, label]) => ({ value, label }))}
          {...chosen}
          onChange={value => {
            const ports = Object.values(usualPorts) as number[]
            chosen.onChange(value)
            if (ports.includes(form.getValues().imap.port))
              form.setFieldValue('imap.port', usualPorts[value as 'tls'] as never)
          }}
        />
        <NumberInput
          label={port}
          min={1}
          max={65535}
          maw={120}
          thousandSeparator=""
          {...form.getInputProps('imap.port')}
        />
      </Group>
    </>
  )
}

interface LoginProps<V extends ServerValues> extends Props<V> {
  passwordAbout?: string | undefined
}

export function LoginFields<V extends ServerValues>({ form, passwordAbout }: LoginProps<V>) {
  return (
    <>
      <UserField form={form} />
      <PasswordInput
        label={pageText.mailboxes.password}
        description={passwordAbout}
        maw={420}
        autoComplete="new-password"
        {...form.getInputProps('imap.password')}
      />
    </>
  )
}

interface UserProps<V extends HostValues> extends Props<V> {
  about?: string
}

export function UserField<V extends HostValues>({ form, about }: UserProps<V>) {
  return (
    <TextInput
      label={pageText.mailboxes.user}
      description={about ?? pageText.mailboxes.userAbout}
      dir="ltr"
      maw={420}
      autoComplete="off"
      spellCheck={false}
      {...form.getInputProps('imap.user')}
    />
  )
}
