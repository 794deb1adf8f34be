import { PasswordInput, Select, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { pageText } from '../core/page-text.ts'
import { AddressFields } from './address-fields.tsx'
import type { SendingValues } from './sending-values.ts'

interface Props<V extends SendingValues> {
  form: UseFormReturnType<V>
  /** Whether this server can send through SMTP_URL. */
  installationSends: boolean
  /** The logins to choose from. */
  logins: SendingValues['smtp']['auth'][]
  passwordAbout?: string | undefined
}

const usualPorts = { tls: 465, starttls: 587, none: 25 }

const optionsOf = (names: Record<string, string>, allowed: string[]) =>
  Object.entries(names)
    .filter(([value]) => allowed.includes(value))
    .map(([value, label]) => ({ value, label }))

/** How a mailbox sends, and through which server. */
export function SendingFields<V extends SendingValues>(props: Props<V>) {
  const { form, installationSends } = props
  const { sending } = form.getValues()
  const { way, ways } = pageText.mailboxSending
  const allowed = [
    'smtp',
    'none',
    ...(installationSends || sending === 'installation' ? ['installation'] : []),
  ]
  return (
    <>
      <Select
        label={way}
        allowDeselect={false}
        maw={420}
        data={optionsOf(ways, allowed)}
        {...form.getInputProps('sending')}
      />
      {sending === 'smtp' && (
        <AddressFields form={form} server="smtp" labels={pageText.mailboxSending} ports={usualPorts} />
      )}
      {sending === 'smtp' && <SmtpLoginFields {...props} />}
    </>
  )
}

function SmtpLoginFields<V extends SendingValues>({ form, logins, passwordAbout }: Props<V>) {
  const { login, logins: names, user, password } = pageText.mailboxSending
  return (
    <>
      <Select
        label={login}
        allowDeselect={false}
        maw={420}
        data={optionsOf(names, logins)}
        {...form.getInputProps('smtp.auth')}
      />
      {form.getValues().smtp.auth === 'password' && (
        <>
          <TextInput
            label={user}
            description={pageText.mailboxes.userAbout}
            dir="ltr"
            maw={420}
            autoComplete="off"
            spellCheck={false}
            {...form.getInputProps('smtp.user')}
          />
          <PasswordInput
            label={password}
            description={passwordAbout}
            maw={420}
            autoComplete="new-password"
            {...form.getInputProps('smtp.password')}
          />
        </>
      )}
    </>
  )
}
