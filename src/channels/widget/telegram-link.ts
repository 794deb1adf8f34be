import Type from 'typebox'
import type { Sql } from '../../core/db/db.ts'
import { type Call, type Endpoint, endpoint } from '../../core/endpoint.ts'
import { ApiError } from '../../core/errors.ts'
import { spendAddressBudget } from '../../limits/rate-limit.ts'
import type { ChatDeps } from './deps.ts'
import { requestingVisitor } from './gate.ts'
import { getTicketSeenBy } from './tickets.ts'
import { requireUnblocked } from './visitor.ts'

/** Links with which a visitor continues a conversation in Telegram. The Telegram channel makes them. */

export type MakeTelegramLink = (
  sql: Sql,
  projectId: string,
  ticketId: string,
) => Promise<{ url: string; username: string } | null>

const visitorTelegramLink = Type.Object(
  {
    url: Type.String({
      description: 'Opens the bot. Valid for one hour, and only for this conversation',
      examples: ['https://t.me/acme_support_bot?start=AgGX88JqHnw6nQs_Ci-cEWmW'],
    }),
    username: Type.String({ description: "The bot's name, without @", examples: ['acme_support_bot'] }),
  },
  { title: 'VisitorTelegramLink' },
)

async function makeLink({ limiter, config, makeTelegramLink }: ChatDeps, call: Call) {
  const { db, project, request, params } = call
  await spendAddressBudget(limiter, 'telegram links', request.ip, config.visitorsPerIp)
  const { owner } = await getTicketSeenBy(db, project.id, requestingVisitor(call), params.ticket_id!)
  requireUnblocked(owner)
  const link = await makeTelegramLink(db, project.id, owner.id)
  if (!link) throw new ApiError('NOT_POSSIBLE', { reason: 'no_telegram_bot' })
  return link
}

export const telegramLinkEndpoint = (deps: ChatDeps): Endpoint =>
  endpoint({
    method: 'POST',
    path: '/tickets/{ticket_id}/telegram-link',
    tag: 'Tickets',
    summary: 'Make a link that continues the conversation in Telegram',
    description: 'Not possible if the project has no Telegram bot.',
    responses: { 200: visitorTelegramLink },
    errors: ['TICKET_NOT_FOUND', 'NOT_POSSIBLE', 'VISITOR_BLOCKED', 'RATE_LIMIT_EXCEEDED'],
    run: call => makeLink(deps, call),
  })
