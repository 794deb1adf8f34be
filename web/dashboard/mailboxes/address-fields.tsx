import { Group, NumberInput, Select, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { pageText } from '../core/page-text.ts'

interface Props<V extends Record<string, unknown>> {
  form: UseFormReturnType<V>
  /** The field of the form with the values. */
  server: 'imap' | 'smtp'
  labels: { host: string; port: string; security: string }
  /** The usual port of each encryption. */
  ports: Record<'tls' | 'starttls' | 'none', number>
}

/** Host, encryption and port of a server. A change of the encryption also changes the port if it is a usual one. */
export function AddressFields<V extends Record<string, unknown>>({ form, server, labels, ports }: Props<V>) {
  const chosen = form.getInputProps(`${server}.security`)
  return (
    <>
      <TextInput
        label={labels.host}
        dir="ltr"
        maw={420}
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps(`${server}.host`)}
      />
      <Group align="flex-start">
        <Select
          label={labels.security}
          allowDeselect={false}
          data={Object.entries(pageText.mailboxes.securities).map(([value, label]) => ({ value, label }))}
          {...chosen}
          onChange={value => {
            const { port } = form.getValues()[server] as { port: number }
            chosen.onChange(value)
            if (Object.values(ports).includes(port))
              form.setFieldValue(`${server}.port`, ports[value as 'tls'] as never)
          }}
        />
        <NumberInput
          label={labels.port}
          min={1}
          max={65535}
          maw={120}
          thousandSeparator=""
          {...form.getInputProps(`${server}.port`)}
        />
      </Group>
    </>
  )
}
