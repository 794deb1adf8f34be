import type { FastifyRequest } from 'fastify'
import { bytes, type Endpoint, endpoint } from '../core/endpoint.ts'
import { ApiError, refuse } from '../core/errors.ts'
import { isId } from '../core/ids.ts'
import { createLimiter, type Limiter } from '../limits/limiter.ts'
import { createMemory } from '../limits/memory.ts'
import type { Live } from './open.ts'
import { liveQuery, tabState } from './schema.ts'

const tag = 'Live'

/** Per person, over all tabs. */
const maxUpdatesPerMinute = 600

export interface LiveDeps {
  live: Live
  sessionIdOf(request: FastifyRequest): string
}

async function spend(limiter: Limiter, operatorId: string): Promise<void> {
  const { isOver, retryAfter } = await limiter.count(operatorId, maxUpdatesPerMinute)
  if (!isOver) return
  throw new ApiError(
    'RATE_LIMIT_EXCEEDED',
    { retry_after: retryAfter },
    { 'retry-after': String(retryAfter) },
  )
}

/** The position of the page. The browser sends it in a header when it reconnects. */
function cursorOf({ headers }: FastifyRequest, after: number | undefined): number | null {
  const seen = headers['last-event-id']
  return typeof seen === 'string' && /^\d{1,15}$/.test(seen) ? Number(seen) : (after ?? null)
}

const stream = ({ live, sessionIdOf }: LiveDeps): Endpoint =>
  endpoint({
    method: 'GET',
    path: '/live',
    tag,
    summary: 'Follow the project (server-sent events)',
    description: `\`log\`: an event of the log, with its number as id. \`ready\`: all missed events have been sent. \`gap\`: some events were skipped;
read the lists again. \`presence\`: who is online, who is viewing and typing in which ticket, whose reply is about to be sent, which chat visitors are online and up to when
they have read the chat; always complete. \`beat\`: every 20 seconds; answer with what the tab shows. \`signed-out\` and \`maintenance\` come last.`,
    query: liveQuery,
    isWaiting: true,
    responses: { 200: bytes },
    errors: ['RATE_LIMIT_EXCEEDED'],
    async run({ project, actor, query, request, reply }) {
      if (request.method === 'HEAD') return null
      requireIds({ tab: query.tab })
      const sessionId = sessionIdOf(request)
      const credential = {
        id: `${sessionId} ${actor.id}`,
        projectId: project.id,
        sessionId,
        operatorId: actor.id,
      }
      await live.listen({ credential, tab: query.tab, after: cursorOf(request, query.after), reply })
      return null
    },
  })

/** An invalid id would fail the statement that all tabs share. */
function requireIds(sent: { tab: string; ticket_id?: string | null }): void {
  for (const [field, id] of Object.entries(sent))
    if (['tab', 'ticket_id'].includes(field) && id !== null && !isId(String(id)))
      throw refuse(field, 'not_found')
}

export const liveDashboard = (deps: LiveDeps): Endpoint[] => {
  const limiter = createLimiter(createMemory())
  return [
    stream(deps),
    endpoint({
      method: 'POST',
      path: '/presence',
      tag,
      summary: 'Report what a tab shows, at each change and at each beat',
      description:
        'A tab that reports nothing for 45 seconds counts as closed. Typing ends automatically after 6 seconds.',
      body: tabState,
      responses: { 204: null },
      errors: ['TAB_NOT_OPEN', 'RATE_LIMIT_EXCEEDED'],
      async run({ project, actor, body }) {
        await spend(limiter, actor.id)
        const { is_internal = false, is_visible = true, ...rest } = body
        requireIds(body)
        await deps.live.show({
          projectId: project.id,
          operatorId: actor.id,
          ...rest,
          is_internal,
          is_visible,
        })
        return null
      },
    }),
  ]
}
