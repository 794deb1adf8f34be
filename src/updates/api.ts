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
    summary: 'Wait for events (long polling), for programs without a public address',
    description: `Answers the events after \`after\`: at once when there are some, else as soon as one happens, else nothing after \`timeout\`
seconds. Ask again with the \`last_seq\` of the answer as \`after\`. Nothing is used up by reading, so any number of programs may follow
one log. With \`events\` an answer may be empty before the time is over: \`last_seq\` has gone on all the same. An answer may also come
early and empty when the server stops.`,
    query: updatesQuery,
    answers: { 200: answer },
    errors: ['VALIDATION_ERROR'],
    isWaiting: true,
    async run({ project, actor, query, request, reply }) {
      const names = (query.events ?? []).filter(name => name !== '')
      checkEventNames(names, 'events')
      const outcome = await updates.wait({
        keyId: actor.id,
        question: {
          projectId: project.id,
          after: query.after ?? null,
          limit: query.limit ?? 100,
          types: names.length ? names.sort().join() : null,
        },
        timeout: request.method === 'HEAD' ? 0 : (query.timeout ?? 25) * 1_000,
        // One that left before this has closed already, and closes no more.
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
