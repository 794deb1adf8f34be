import { queryOptions, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, take } from '../core/api.ts'
import { text } from '../core/text.ts'
import { mailboxKeys } from '../mailboxes/query-keys.ts'
import { mayDo, useProject } from '../projects/project.ts'
import { Banner } from './banners.tsx'
import { TelegramOutageBanner } from './telegram-outage-banner.tsx'

const outagesQuery = (project_id: string) =>
  queryOptions({
    queryKey: mailboxKeys.outages(project_id),
    queryFn: async () =>
      (await take(api.GET('/projects/{project_id}/mailboxes/outages', { params: { path: { project_id } } })))
        .items,
    refetchInterval: 60_000,
  })

type Outage = NonNullable<
  Awaited<ReturnType<NonNullable<ReturnType<typeof outagesQuery>['queryFn']>>>
>[number]

function wordOutages(open: Outage[]): string {
  const { noEmail, noEmails, notSent, notSents, noMail } = text.shell
  const [{ address, problem }] = open as [Outage]
  const isSending = problem === 'sending'
  if (open.length === 1) return (isSending ? notSent : noEmail)(address)
  if (open.some(one => one.problem !== problem)) return noMail(new Set(open.map(one => one.mailbox_id)).size)
  return (isSending ? notSents : noEmails)(open.length)
}

/** Tells the team about mailboxes and bots that are not working. */
export default function OutageBanners() {
  return (
    <>
      <MailboxOutageBanner />
      <TelegramOutageBanner />
    </>
  )
}

/** Tells the team that a mailbox receives or sends nothing, until it works again or the banner is closed. */
function MailboxOutageBanner() {
  const { id, role } = useProject()
  const navigate = useNavigate()
  const [closed, setClosed] = useState<string[]>([])
  const { data = [] } = useQuery(outagesQuery(id))
  const nameOf = ({ mailbox_id, problem, failing_since }: Outage) => mailbox_id + problem + failing_since
  const open = data.filter(outage => !closed.includes(nameOf(outage)))
  const [first] = open
  const { askAdmin, fixMailbox, close } = text.shell
  const isAdmin = mayDo(role, 'admin')
  const words = first && wordOutages(open)
  const ids = new Set(open.map(({ mailbox_id }) => mailbox_id))
  const show = () =>
    void navigate({ to: `/p/${id}/settings/mailboxes${ids.size === 1 ? `/${first!.mailbox_id}` : ''}` })
  const dismiss = { label: close, run: () => setClosed(open.map(nameOf)) }
  return (
    <div role="status">
      {words && isAdmin && <Banner words={words} actions={[{ label: fixMailbox, run: show }, dismiss]} />}
      {words && !isAdmin && <Banner words={`${words} ${askAdmin}`} actions={[dismiss]} />}
    </div>
  )
}
