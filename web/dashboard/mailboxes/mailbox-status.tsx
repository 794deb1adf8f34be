import { Progress, Text } from '@mantine/core'
import { ChannelFault } from '../channels/channel-state.tsx'
import { StatusSection } from '../channels/status-section.tsx'
import { api, take } from '../core/api.ts'
import { pageText } from '../core/page-text.ts'
import { useProject } from '../projects/project.ts'
import { LastFetched } from './last-fetched.tsx'
import { type Mailbox, type MailboxVersion, mailboxPath } from './queries.ts'
import { needsSignIn, SignInAgain } from './sign-in-again.tsx'
import { TrialResult } from './trial-result.tsx'

interface Props {
  mailbox: Mailbox
  version: MailboxVersion
}

/** Whether the mailbox works, and what to do if it does not. */
export function MailboxStatus({ mailbox, version }: Props) {
  const params = { path: { project_id: useProject().id, mailbox_id: mailbox.id } }
  const words = pageText.mailboxes
  return (
    <StatusSection
      channel={mailbox}
      version={version}
      words={words}
      about={<LastFetched mailbox={mailbox} />}
      test={() => take(api.POST(`${mailboxPath}/test`, { params }))}
      pause={() => take(api.POST(`${mailboxPath}/pause`, { params }))}
      resume={() => take(api.POST(`${mailboxPath}/resume`, { params }))}
      showTrial={trial => <TrialResult trial={trial} />}
    >
      <ChannelFault channel={mailbox} words={words}>
        {needsSignIn(mailbox) && (
          <div>
            <SignInAgain mailbox={mailbox} />
          </div>
        )}
      </ChannelFault>
      <Import progress={mailbox.import_progress} />
    </StatusSection>
  )
}

function Import({ progress }: { progress: number | null }) {
  if (progress === null || progress >= 1) return null
  const percent = Math.floor(progress * 100)
  return (
    <>
      <Text size="sm">{pageText.mailboxes.importing(percent)}</Text>
      <Progress value={percent} aria-label={pageText.mailboxes.importing(percent)} my="sm" />
    </>
  )
}
