import { Button, Group, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, take } from '../core/api.ts'
import { Form, useSending } from '../core/form.tsx'
import { pageText } from '../core/page-text.ts'
import { useChange } from '../core/query.ts'
import { mayDo, useProject } from '../projects/project.ts'
import { type LoggedMailDetails, mailPath } from './queries.ts'
import { mailLogKeys } from './query-keys.ts'

/** Decides what happens to an email. A message can be moved and read again. */
export function MailDecision({ mail }: { mail: LoggedMailDetails }) {
  const { id: project_id, role } = useProject()
  const [isAdding, setAdding] = useState(false)
  const { id: mail_id, has_raw, message_id } = mail
  const params = { path: { project_id, mail_id } }
  const refresh = [mailLogKeys.all(project_id)]
  const ticket = useChange({ send: () => take(api.POST(`${mailPath}/ticket`, { params })), refresh })
  const reading = useChange({ send: () => take(api.POST(`${mailPath}/reparse`, { params })), refresh })
  const { makeTicket, addToTicket, moveToTicket, readAgain } = pageText.mailLog
  if (isAdding) return <Addition mailId={mail_id} onDone={() => setAdding(false)} />
  return (
    <Group>
      {has_raw && !message_id && (
        <Button loading={ticket.isPending} onClick={() => ticket.mutate()}>
          {makeTicket}
        </Button>
      )}
      {(has_raw || message_id) && (
        <Button variant="default" onClick={() => setAdding(true)}>
          {message_id ? moveToTicket : addToTicket}
        </Button>
      )}
      {has_raw && mayDo(role, 'admin') && (
        <Button variant="default" loading={reading.isPending} onClick={() => reading.mutate()}>
          {readAgain}
        </Button>
      )}
    </Group>
  )
}

interface Values extends Record<string, unknown> {
  ticket_id: string
}

/** Asks for the ticket to which the email is added or moved. */
function Addition({ mailId: mail_id, onDone }: { mailId: string; onDone(): void }) {
  const { id: project_id } = useProject()
  const client = useQueryClient()
  const { add, number, numberNeeded } = pageText.mailLog
  const sending = useSending<Values>({
    initialValues: { ticket_id: '' },
    validate: { ticket_id: value => (value.trim() ? null : numberNeeded) },
    send: ({ ticket_id }) =>
      take(
        api.POST(`${mailPath}/move`, {
          params: { path: { project_id, mail_id } },
          body: { ticket_id: ticket_id.trim().replace(/^#/, '') },
        }),
      ),
    onDone: async () => {
      await client.invalidateQueries({ queryKey: mailLogKeys.all(project_id) })
      onDone()
    },
  })
  return (
    <Form sending={sending} action={add}>
      <TextInput label={number} dir="ltr" maw={240} autoFocus {...sending.form.getInputProps('ticket_id')} />
    </Form>
  )
}
