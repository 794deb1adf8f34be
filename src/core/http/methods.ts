import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

const expected = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'])
const unexpected = new WeakMap<IncomingMessage, string>()

/**
 * A path answers 405 to every method that Node.js can parse. Methods that Fastify does not know are routed as one that it knows,
 * because a route for each of them at every path made a start a fifth of a second slower.
 */
export function hideUnusualMethod(request: IncomingMessage): void {
  const { method = '' } = request
  if (expected.has(method)) return
  unexpected.set(request, method)
  request.method = 'TRACE'
}

/** Restores the method of a request after routing. This hook must run before all others. */
export function restoreUnusualMethods(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    raw.method = unexpected.get(raw) ?? raw.method
    done()
  })
}
