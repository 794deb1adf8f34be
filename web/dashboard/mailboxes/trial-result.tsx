import { Alert, Text } from '@mantine/core'
import { pageText } from '../core/page-text.ts'
import type { MailboxTrial } from './queries.ts'

/** The result of testing a connection. */
export function TrialResult({ trial: { ok, text, folders } }: { trial: MailboxTrial }) {
  const { works, worksNot, foldersFound } = pageText.mailboxes
  return (
    <Alert mt="md" color={ok ? 'gray' : 'red'} title={ok ? works : worksNot}>
      {text}
      {folders.length > 0 && (
        <Text size="sm" mt={4}>
          {foldersFound(folders)}
        </Text>
      )}
    </Alert>
  )
}
