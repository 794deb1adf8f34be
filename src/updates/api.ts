import { type Endpoint, endpoint } from '../core/endpoint.ts'
import { BriefError, MaintenanceError } from '../core/errors.ts'
import type { WaitOutcome } from '../events/hub.ts'
import type { LogPage } from '../events/log-page.ts'
import { checkEventNames } from '../events/names.ts'
import { updates as answer, updatesQuery } from './schema.ts'
import type { Updates } from './updates.ts'

export const updateEndpoints = ({ updates }: { updates: Updates }): Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/updates',
    tag: 'Events',
    summary: 'Wait for events (long polling)',
    description: `Returns the events after \`after\`: immediately if there are any, otherwise as soon as one happens, or an empty list after
\`timeout\` seconds. Send the \`last_seq\` of the response as \`after\` in the next request. Reading removes nothing, so any number of programs
may follow the log. With \`events\`, a response may be empty before the time is over; its \`last_seq\` has still advanced. When the server
stops, the response may also be early and empty. Use this in programs without a public address, instead of webhooks.`,
    query: updatesQuery,
    responses: { 200: answer },
    errors: ['VALIDATION_ERROR'],
    isWaiting: true,
    async run({ project, actor, query, request, reply }) {
      const names = (query.events ?? []).filter(name => name !== '')
      checkEventNames(names, 'events')
      const outcome = await updates.wait({
        keyId: actor.id,
        query: {
          projectId: project.id,
          after: query.after ?? null,
          limit: query.limit ?? 100,
          types: names.length ? names.sort().join() : null,
        },
        timeout: request.method === 'HEAD' ? 0 : (query.timeout ?? 25) * 1_000,
        // A connection that closed earlier emits no further close event.
        onGone: leave => (reply.raw.destroyed ? leave() : void reply.raw.once('close', leave)),
      })
      reply.type('application/json; charset=utf-8')
      return pageOf(outcome).text
    },
  }),
]

function pageOf(outcome: WaitOutcome): LogPage {
  if (outcome === 'maintenance') throw new MaintenanceError()
  if (outcome === 'revoked') throw new BriefError('key_invalid')
  return outcome
}
