import { Alert, Text } from '@mantine/core'
import { wordFault } from '../channels/channel-state.tsx'
import { pageText } from '../core/page-text.ts'
import type { MailboxTrial } from './queries.ts'

/** The results of testing the connections for fetching and for sending. */
export function TrialResult({ trial }: { trial: MailboxTrial }) {
  const { ok, folders, sending } = trial
  const { works, worksNot, foldersFound } = pageText.mailboxes
  const { isReady, isNotReady } = pageText.mailboxSending
  return (
    <>
      <Alert mt="md" color={ok ? 'gray' : 'red'} title={ok ? works : worksNot}>
        {wordFault(pageText.mailboxes, trial)}
        {folders.length > 0 && (
          <Text size="sm" mt={4}>
            {foldersFound(folders)}
          </Text>
        )}
      </Alert>
      {sending && (
        <Alert mt="md" color={sending.ok ? 'gray' : 'red'} title={sending.ok ? isReady : isNotReady}>
          {wordFault(pageText.mailboxes, sending)}
        </Alert>
      )}
    </>
  )
}
