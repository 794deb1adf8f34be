import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Form, useSending } from '../core/form.tsx'
import { pageText } from '../core/page-text.ts'
import { useProject } from '../projects/project.ts'
import {
  createMailbox,
  type DetectedServer,
  type Mailbox,
  type MailboxTrial,
  mailboxesQuery,
  tryNewMailbox,
} from './queries.ts'
import { SendingFields } from './sending-fields.tsx'
import { newSendingRules, newSendingValues, type SendingValues, sendingBodyOf } from './sending-values.ts'
import { HostFields, LoginFields, type ServerValues } from './server-fields.tsx'
import type { ServerStepProps } from './server-step.tsx'
import { StartFields, type StartValues } from './start-fields.tsx'
import { TrialResult } from './trial-result.tsx'

type Values = ServerValues & StartValues & SendingValues

const valuesOf = ({ address, host, smtp }: DetectedServer): Values => ({
  ...newSendingValues({ smtp }, 'imap'),
  imap: { host, port: 993, security: 'tls', user: address, password: '' },
  start_from: 'now',
  start_days: 7,
})

/** Tests the settings first. Returns null if they do not work. */
async function tryAndCreate(
  project_id: string,
  address: string,
  values: Values,
  onTrial: (trial: MailboxTrial) => void,
): Promise<Mailbox | null> {
  const { imap, start_from, start_days } = values
  const settings = { address, imap, ...sendingBodyOf(values) }
  const trial = await tryNewMailbox(project_id, settings)
  onTrial(trial)
  if (!trial.ok || trial.sending?.ok === false) return null
  const start = { start_from, ...(start_from === 'days' && { start_days }) }
  return createMailbox(project_id, { ...settings, incoming: 'imap', ...start })
}

export function ImapStep({ server, onDone, back }: ServerStepProps) {
  const { id: project_id } = useProject()
  const client = useQueryClient()
  const [trial, setTrial] = useState<MailboxTrial | null>(null)
  const { connect, hostNeeded, passwordNeeded, passwordAbouts, testing } = pageText.mailboxes
  const sending = useSending<Values, Mailbox | null>({
    initialValues: valuesOf(server),
    validate: {
      ...newSendingRules,
      imap: {
        host: (value: string) => (value.trim() ? null : hostNeeded),
        password: (value: string) => (value ? null : passwordNeeded),
      },
    } as never,
    send: values => {
      setTrial(null)
      return tryAndCreate(project_id, server.address, values, setTrial)
    },
    onDone: made => {
      if (!made) return
      void client.invalidateQueries({ queryKey: mailboxesQuery(project_id).queryKey })
      onDone(made)
    },
  })
  return (
    <Form sending={sending} action={connect} aside={back}>
      <HostFields form={sending.form} />
      <LoginFields form={sending.form} passwordAbout={passwordAbouts[server.provider ?? '']} />
      <StartFields form={sending.form} />
      <SendingFields
        form={sending.form}
        installationSends={server.installation_sends}
        logins={['imap', 'password', 'none']}
      />
      <div aria-live="polite">
        {sending.isSending && testing}
        {trial && !sending.isSending && <TrialResult trial={trial} />}
      </div>
    </Form>
  )
}
