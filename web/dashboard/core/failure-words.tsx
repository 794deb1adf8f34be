import { Code, CopyButton, Group, Text, UnstyledButton } from '@mantine/core'
import type { Failure } from './failure.ts'
import { text } from './text.ts'

/** The error message, and the request id if the server's operator may have to look it up. */
export function FailureWords({ failure }: { failure: Failure }) {
  return (
    <>
      <Text size="md">{failure.message}</Text>
      {failure.status >= 500 && failure.requestId && <RequestId id={failure.requestId} />}
    </>
  )
}

export function RequestId({ id }: { id: string }) {
  return (
    <CopyButton value={id}>
      {({ copied, copy }) => (
        <UnstyledButton onClick={copy} title={text.failure.copyRequest} mt={4}>
          <Group gap={6}>
            <Code>{text.failure.request(id)}</Code>
            <Text size="sm" c="dimmed">
              {copied ? text.shell.copied : text.shell.copy}
            </Text>
          </Group>
        </UnstyledButton>
      )}
    </CopyButton>
  )
}
