import { Button, CopyButton, Group, TextInput } from '@mantine/core'
import { text } from './text.ts'

interface Props {
  label: string
  value: string
  description?: string
}

/** A read-only value with a copy button. */
export function CopyField({ label, value, description }: Props) {
  return (
    <Group align="flex-end" gap="xs" wrap="nowrap">
      <TextInput
        label={label}
        description={description}
        value={value}
        readOnly
        flex={1}
        dir="ltr"
        onFocus={event => event.currentTarget.select()}
      />
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <Button onClick={copy} aria-label={`${text.shell.copy}: ${label}`}>
            {copied ? text.shell.copied : text.shell.copy}
          </Button>
        )}
      </CopyButton>
    </Group>
  )
}
