import { Alert, Button, Group, Progress, Text } from '@mantine/core'
import { api, take } from '../core/api.ts'
import { Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { useChange } from '../core/query.ts'
import { useProject } from '../projects/project.ts'
import { wordFault } from './fault-words.ts'
import { LastFetched } from './mailbox-state.tsx'
import { type Mailbox, mailboxPath, type ShownVersion } from './queries.ts'
import { needsSignIn, SignInAgain } from './sign-in-again.tsx'
import { TrialResult } from './trial-result.tsx'

interface Props {
  mailbox: Mailbox
  version: ShownVersion
}

/** Whether the mailbox works, and what to do if it does not. */
export function MailboxStatus({ mailbox, version }: Props) {
  const { id: project_id } = useProject()
  const params = { path: { project_id, mailbox_id: mailbox.id } }
  const trial = useChange({ send: () => take(api.POST(`${mailboxPath}/test`, { params })) })
  const { status, test, testing } = pageText.mailboxes
  return (
    <Section title={status} about={<LastFetched mailbox={mailbox} />}>
      <Fault mailbox={mailbox} />
      <Import progress={mailbox.import_progress} />
      <Group>
        <Button variant="default" loading={trial.isPending} onClick={() => trial.mutate()}>
          {test}
        </Button>
        <Turn mailbox={mailbox} version={version} />
      </Group>
      <div aria-live="polite">
        {trial.isPending && (
          <Text size="sm" mt="sm">
            {testing}
          </Text>
        )}
        {trial.data && !trial.isPending && <TrialResult trial={trial.data} />}
      </div>
    </Section>
  )
}

function Turn({ mailbox: { id: mailbox_id, state }, version }: Props) {
  const { id: project_id } = useProject()
  const params = { path: { project_id, mailbox_id } }
  const pause = useChange({
    send: () => take(api.POST(`${mailboxPath}/pause`, { params })),
    onDone: version.save,
  })
  const resume = useChange({
    send: () => take(api.POST(`${mailboxPath}/resume`, { params })),
    onDone: version.save,
  })
  if (state !== 'active')
    return (
      <Button loading={resume.isPending} onClick={() => resume.mutate()}>
        {pageText.mailboxes.turnOn[state]}
      </Button>
    )
  return (
    <Button variant="default" loading={pause.isPending} onClick={() => pause.mutate()}>
      {pageText.mailboxes.pause}
    </Button>
  )
}

function Fault({ mailbox }: { mailbox: Mailbox }) {
  const { state, last_error } = mailbox
  if (state === 'paused')
    return (
      <Alert color="gray" mb="md" title={pageText.mailboxes.isPaused}>
        {pageText.mailboxes.isPausedAbout}
      </Alert>
    )
  if (!last_error) return null
  const { isBroken, willRetry } = pageText.mailboxes
  return (
    <Alert
      color={state === 'broken' ? 'red' : 'gray'}
      mb="md"
      title={state === 'broken' ? isBroken : willRetry}
    >
      {wordFault(last_error)}
      {needsSignIn(mailbox) && (
        <div>
          <SignInAgain mailbox={mailbox} />
        </div>
      )}
    </Alert>
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
