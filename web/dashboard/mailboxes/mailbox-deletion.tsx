import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, take } from '../core/api.ts'
import { Confirm } from '../core/confirm.tsx'
import { Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { useChange } from '../core/query.ts'
import { useProject } from '../projects/project.ts'
import { type Mailbox, mailboxesQuery, mailboxPath, mailboxQuery } from './queries.ts'

export function MailboxDeletion({
  mailbox: { id: mailbox_id, address },
  back,
}: {
  mailbox: Mailbox
  back: string
}) {
  const { id: project_id } = useProject()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [isAsking, setAsking] = useState(false)
  const path = { project_id, mailbox_id }
  const remove = useChange({
    send: () => take(api.DELETE(mailboxPath, { params: { path } })),
    async onDone() {
      await navigate({ to: back })
      client.removeQueries({ queryKey: mailboxQuery(path).queryKey })
      void client.invalidateQueries({ queryKey: mailboxesQuery(project_id).queryKey })
    },
  })
  const { remove: label, removeTitle, removeAbout } = pageText.mailboxes
  return (
    <Section title={label} about={removeAbout}>
      <Button variant="subtle" color="red" loading={remove.isPending} onClick={() => setAsking(true)}>
        {label}
      </Button>
      <Confirm
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={removeTitle(address)}
        about={removeAbout}
        action={label}
        run={() => remove.mutate()}
      />
    </Section>
  )
}
