import { PasswordInput, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { pageText } from '../core/page-text.ts'
import { AddressFields } from './address-fields.tsx'
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

/** The IMAP server of a mailbox. */
export function HostFields<V extends HostValues>({ form }: Props<V>) {
  return <AddressFields form={form} server="imap" labels={pageText.mailboxes} ports={usualPorts} />
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
