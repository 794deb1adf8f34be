import { queryOptions, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, take } from '../core/api.ts'
import { text } from '../core/text.ts'
import { mayDo, useProject } from '../projects/project.ts'
import { Banner } from './banners.tsx'

const outagesQuery = (project_id: string) =>
  queryOptions({
    queryKey: ['mailbox outages', project_id],
    queryFn: async () =>
      (await take(api.GET('/projects/{project_id}/mailboxes/outages', { params: { path: { project_id } } })))
        .items,
    refetchInterval: 60_000,
  })

/** Tells the team that a mailbox receives nothing, until it works again or the banner is closed. */
export default function OutageBanner() {
  const { id, role } = useProject()
  const navigate = useNavigate()
  const [closed, setClosed] = useState<string[]>([])
  const { data = [] } = useQuery(outagesQuery(id))
  const nameOf = (outage: (typeof data)[number]) => outage.mailbox_id + outage.failing_since
  const open = data.filter(outage => !closed.includes(nameOf(outage)))
  const [first] = open
  const { noEmail, noEmails, askAdmin, fixMailbox, close } = text.shell
  const isAdmin = mayDo(role, 'admin')
  const words = first && (open.length === 1 ? noEmail(first.address) : noEmails(open.length))
  const show = () =>
    void navigate({ to: `/p/${id}/settings/mailboxes${open.length === 1 ? `/${first!.mailbox_id}` : ''}` })
  const dismiss = { label: close, run: () => setClosed(open.map(nameOf)) }
  return (
    <div role="status">
      {words && isAdmin && <Banner words={words} actions={[{ label: fixMailbox, run: show }, dismiss]} />}
      {words && !isAdmin && <Banner words={`${words} ${askAdmin}`} actions={[dismiss]} />}
    </div>
  )
}
