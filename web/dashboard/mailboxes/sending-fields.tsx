import { Group, NumberInput, PasswordInput, Select, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { pageText } from '../core/page-text.ts'
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
      {sending === 'smtp' && <SmtpFields form={form} />}
      {sending === 'smtp' && <SmtpLoginFields {...props} />}
    </>
  )
}

/** A change of the encryption also changes the port if it is a usual one. */
function SmtpFields<V extends SendingValues>({ form }: Pick<Props<V>, 'form'>) {
  const { host, port, security } = pageText.mailboxSending
  const chosen = form.getInputProps('smtp.security')
  return (
    <>
      <TextInput
        label={host}
        dir="ltr"
        maw={420}
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps('smtp.host')}
      />
      <Group align="flex-start">
        <Select
          label={security}
          allowDeselect={false}
          data={Object.entries(pageText.mailboxes.securities).map(([value, label]) => ({ value, label }))}
          {...chosen}
          onChange={value => {
            const ports = Object.values(usualPorts) as number[]
            chosen.onChange(value)
            if (ports.includes(form.getValues().smtp.port))
              form.setFieldValue('smtp.port', usualPorts[value as 'tls'] as never)
          }}
        />
        <NumberInput
          label={port}
          min={1}
          max={65535}
          maw={120}
          thousandSeparator=""
          {...form.getInputProps('smtp.port')}
        />
      </Group>
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
