import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { api, take } from '../core/api.ts'
import { pageText } from '../core/page-text.ts'
import { useChange } from '../core/query.ts'
import type { FirstSteps } from './first-steps.ts'
import { firstStepsQuery } from './queries.ts'

/** The contact of test tickets, by which the server finds them. Mail to this address can never arrive. */
const testEmail = 'test@deskbell.example'

/** Creates a real ticket of a contact who does not exist, or opens the one that there is. */
export function TestTicketButton({ steps: { projectId, testTicket } }: { steps: FirstSteps }) {
  const navigate = useNavigate()
  const open = (number: string) => navigate({ to: `/p/${projectId}/inbox/open/${number}` })
  const words = pageText.firstSteps
  const create = useChange({
    send: () => {
      const { name, subject, content } = words.test
      const body = { contact: { email: testEmail, full_name: name }, subject, content }
      return take(
        api.POST('/projects/{project_id}/tickets', { params: { path: { project_id: projectId } }, body }),
      )
    },
    refresh: [firstStepsQuery(projectId).queryKey],
    onDone: ({ short_id }) => void open(short_id),
  })
  return (
    <Button
      variant="default"
      size="xs"
      loading={create.isPending}
      onClick={() => (testTicket ? open(testTicket.short_id) : create.mutate())}
    >
      {testTicket ? words.openTest(testTicket.short_id) : words.actions.ticket}
    </Button>
  )
}

/** Deletes the test ticket with its contact, once it was answered. */
export function DeleteTestTicket({ steps: { projectId, testTicket, isAdmin } }: { steps: FirstSteps }) {
  const remove = useChange({
    send: (contact_id: string) =>
      take(
        api.DELETE('/projects/{project_id}/contacts/{contact_id}', {
          params: { path: { project_id: projectId, contact_id } },
        }),
      ),
    refresh: [firstStepsQuery(projectId).queryKey],
  })
  // The server deletes the ticket a little later.
  if (!isAdmin || !testTicket?.is_answered || remove.isSuccess) return null
  return (
    <Button
      variant="subtle"
      color="red"
      size="xs"
      loading={remove.isPending}
      onClick={() => remove.mutate(testTicket.contact_id)}
    >
      {pageText.firstSteps.deleteTest}
    </Button>
  )
}
