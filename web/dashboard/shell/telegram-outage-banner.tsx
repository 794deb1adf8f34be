import { queryOptions, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Shape } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import { text } from '../core/text.ts'
import { mayDo, useProject } from '../projects/project.ts'
import { telegramBotKeys } from '../telegram-bots/query-keys.ts'
import { Banner } from './banners.tsx'

type BotOutage = Shape<'TelegramOutages'>['items'][number]

const botOutagesQuery = (project_id: string) =>
  queryOptions({
    queryKey: telegramBotKeys.outages(project_id),
    queryFn: async () => {
      const params = { path: { project_id } }
      return (await take(api.GET('/projects/{project_id}/telegram-bots/outages', { params }))).items
    },
    refetchInterval: 60_000,
  })

const nameOf = ({ bot_id, failing_since }: BotOutage): string => bot_id + failing_since

/** Tells the team that a bot is not receiving messages, until it works again or the banner is closed. */
export function TelegramOutageBanner() {
  const { id, role } = useProject()
  const navigate = useNavigate()
  const [closed, setClosed] = useState<string[]>([])
  const { data = [] } = useQuery(botOutagesQuery(id))
  const open = data.filter(outage => !closed.includes(nameOf(outage)))
  const [first] = open
  if (!first) return <div role="status" />
  const { noTelegram, noTelegrams, askAdminOfBots, fixMailbox, close } = text.shell
  const words = open.length === 1 ? noTelegram(first.username) : noTelegrams(open.length)
  const page = `/p/${id}/settings/telegram-bots${open.length === 1 ? `/${first.bot_id}` : ''}`
  const show = { label: fixMailbox, run: () => void navigate({ to: page }) }
  const dismiss = { label: close, run: () => setClosed(open.map(nameOf)) }
  return (
    <div role="status">
      {mayDo(role, 'admin') ? (
        <Banner words={words} actions={[show, dismiss]} />
      ) : (
        <Banner words={`${words} ${askAdminOfBots}`} actions={[dismiss]} />
      )}
    </div>
  )
}
