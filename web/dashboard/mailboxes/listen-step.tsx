import { Alert, Group, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Form, useSending } from '../core/form.tsx'
import { pageText } from '../core/page-text.ts'
import { useProject } from '../projects/project.ts'
import { createMailbox, type Mailbox, mailboxesQuery } from './queries.ts'
import type { ServerStepProps } from './server-step.tsx'

/** For an address whose email this server accepts itself. */
export function ListenStep({ server: { address, listens_at }, onDone, back }: ServerStepProps) {
  const { id: project_id } = useProject()
  const client = useQueryClient()
  const { listensAt, listenOff, add } = pageText.mailboxes
  const sending = useSending<Record<string, never>, Mailbox>({
    initialValues: {},
    send: () => createMailbox(project_id, { address, incoming: 'listen' }),
    onDone: made => {
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
    </Form>
  )
}
