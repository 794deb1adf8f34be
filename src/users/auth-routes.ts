import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { BriefError } from '../core/errors.ts'
import type { Users } from './accounts.ts'
import { headersOf } from './headers.ts'

/** Seconds to wait after the second factor was locked because of wrong codes. */
const lockSeconds = '900'

function requestOf(request: FastifyRequest): Request {
  const { method, url, host, protocol, body } = request
  const hasBody = !['GET', 'HEAD'].includes(method) && Buffer.isBuffer(body) && body.length > 0
  return new Request(new URL(url, `${protocol}://${host || 'localhost'}`), {
    method,
    headers: headersOf(request),
    ...(hasBody && { body: new Uint8Array(body) }),
  })
}

/** better-auth's own password reset redirects to any URL in the link, so it is disabled. Ours is /link. */
const isClosed = (url: string): boolean => /\/reset-password(\/|\?|$)/.test(url.split('?')[0]!)

async function forwardRequest(users: Users, request: FastifyRequest, reply: FastifyReply) {
  if (isClosed(request.url)) throw new BriefError('not_found')
  const answer = await users.answer(requestOf(request))
  if (answer.status === 404) throw new BriefError('not_found')
  reply.code(answer.status)
  answer.headers.forEach((value, name) => {
    if (name !== 'set-cookie') reply.header(name, value)
  })
  for (const cookie of answer.headers.getSetCookie()) reply.header('set-cookie', cookie)
  if (answer.status === 429 && !answer.headers.has('retry-after')) reply.header('retry-after', lockSeconds)
  return reply.send(Buffer.from(await answer.arrayBuffer()))
}

/** The operations of better-auth, which reads request bodies itself. */
export function mountAuthRoutes(app: FastifyInstance, users: Users): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request: FastifyRequest, bytes: Buffer, done) =>
    done(null, bytes),
  )
  app.route({
    method: ['GET', 'POST'],
    url: '/*',
    handler: (request, reply) => forwardRequest(users, request, reply),
  })
}
