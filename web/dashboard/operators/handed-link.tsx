import { Button, CopyButton, Group, Stack, Text, TextInput } from '@mantine/core'
import type { AnswerOf } from '../core/answers.ts'
import { text } from '../core/text.ts'

export type Link = AnswerOf<'/projects/{project_id}/operators/{operator_id}/reset', 'post'>

/** A link that works once, to copy and hand over. */
export function HandedLink({ link, about }: { link: Link; about: string }) {
  return (
    <Stack gap="md">
      <Text>{about}</Text>
      <Group align="flex-end" gap="xs" wrap="nowrap">
        <TextInput
          label={text.people.link}
          value={link.url}
          readOnly
          flex={1}
          dir="ltr"
          onFocus={event => event.currentTarget.select()}
        />
        <CopyButton value={link.url}>
          {({ copied, copy }) => (
            <Button onClick={copy}>{copied ? text.shell.copied : text.shell.copy}</Button>
          )}
        </CopyButton>
      </Group>
    </Stack>
  )
}
