import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { pageText } from '../core/page-text.ts'
import { useProject } from '../projects/project.ts'

export function TicketLink({ id }: { id: string }) {
  const { id: projectId } = useProject()
  const to = `/p/${projectId}/inbox/open/${id}`
  return (
    <Button variant="default" size="xs" renderRoot={props => <Link to={to} {...props} />}>
      {pageText.mailLog.openTicket}
    </Button>
  )
}
