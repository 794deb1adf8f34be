import { Alert, Text } from '@mantine/core'
import { pageText } from '../core/page-text.ts'
import { wordFault } from './fault-words.ts'
import type { MailboxTrial } from './queries.ts'

/** The result of testing a connection. */
export function TrialResult({ trial }: { trial: MailboxTrial }) {
  const { ok, folders } = trial
  const { works, worksNot, foldersFound } = pageText.mailboxes
  return (
    <Alert mt="md" color={ok ? 'gray' : 'red'} title={ok ? works : worksNot}>
      {wordFault(trial)}
      {folders.length > 0 && (
        <Text size="sm" mt={4}>
          {foldersFound(folders)}
        </Text>
      )}
    </Alert>
  )
}
