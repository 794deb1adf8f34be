import Type from 'typebox'
import { type Endpoint, endpoint } from '../core/endpoint.ts'
import { id, nullable, time } from '../core/schema.ts'
import { endOtherSessions, listSessions, revokeSession } from '../users/users.ts'
import { sessionOf } from './gate.ts'

const sessionList = Type.Object({
  items: Type.Array(
    Type.Object({
      id,
      user_agent: nullable(Type.String()),
      ip_address: nullable(Type.String()),
      created_at: time,
      last_used_at: time,
      is_current: Type.Boolean({ description: 'Whether it is the session of this request' }),
    }),
  ),
})

const tag = 'Account'

/** The sessions of a person. */
export const sessionEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/me/sessions',
    tag,
    summary: 'List your sessions',
    responses: { 200: sessionList },
    errors: [],
    async run({ db, request }) {
      const { id, user } = sessionOf(request)
      const sessions = await listSessions(db, user.id)
      return { items: sessions.map(session => ({ ...session, is_current: session.id === id })) }
    },
  }),
  endpoint({
    method: 'DELETE',
    path: '/me/sessions',
    tag,
    summary: 'End all your other sessions',
    responses: { 204: null },
    errors: [],
    run: ({ db, request }) => endOtherSessions(db, sessionOf(request).user.id, sessionOf(request).id),
  }),
  endpoint({
    method: 'DELETE',
    path: '/me/sessions/{session_id}',
    tag,
    summary: 'End one of your sessions',
    responses: { 204: null },
    errors: [],
    run: ({ db, request, params }) => revokeSession(db, sessionOf(request).user.id, params.session_id!),
  }),
]
