import { Alert, Group, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Form, useSending } from '../core/form.tsx'
import { pageText } from '../core/page-text.ts'
import { useProject } from '../projects/project.ts'
import { createMailbox, type Mailbox, type MailboxTrial, mailboxesQuery, tryNewMailbox } from './queries.ts'
import { SendingFields } from './sending-fields.tsx'
import { newSendingRules, newSendingValues, type SendingValues, sendingBodyOf } from './sending-values.ts'
import type { ServerStepProps } from './server-step.tsx'
import { TrialResult } from './trial-result.tsx'

/** For an address whose email this server accepts itself. */
export function ListenStep({ server, onDone, back }: ServerStepProps) {
  const { id: project_id } = useProject()
  const client = useQueryClient()
  const { address, listens_at, installation_sends } = server
  const { listensAt, listenOff, add, testing } = pageText.mailboxes
  const [trial, setTrial] = useState<MailboxTrial | null>(null)
  const sending = useSending<SendingValues, Mailbox | null>({
    initialValues: {
      ...newSendingValues(server, 'password'),
      ...(installation_sends && { sending: 'installation' as const }),
    },
    validate: newSendingRules as never,
    send: async values => {
      setTrial(null)
      const settings = { address, ...sendingBodyOf(values) }
      const tried = await tryNewMailbox(project_id, settings)
      setTrial(tried)
      return tried.sending?.ok === false
        ? null
        : createMailbox(project_id, { ...settings, incoming: 'listen' })
    },
    onDone: made => {
      if (!made) return
      void client.invalidateQueries({ queryKey: mailboxesQuery(project_id).queryKey })
      onDone(made)
    },
  })
  if (listens_at.length === 0)
    return (
      <>
        <Alert color="gray" mb="md">
          {listenOff}
        </Alert>
        <Group>{back}</Group>
      </>
    )
  return (
    <Form sending={sending} action={add} aside={back}>
      <Text>{listensAt(listens_at.join(', '))}</Text>
      <SendingFields
        form={sending.form}
        installationSends={installation_sends}
        logins={['password', 'none']}
      />
      <div aria-live="polite">
        {sending.isSending && testing}
        {trial && !sending.isSending && <TrialResult trial={trial} />}
      </div>
    </Form>
  )
}
