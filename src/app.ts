import type { FastifyInstance } from 'fastify'
import { contactEndpoints } from './contacts/api.ts'
import type { Config } from './core/config.ts'
import type { Vault } from './core/crypto.ts'
import type { Db } from './core/db.ts'
import type { Endpoint } from './core/endpoint.ts'
import { BriefError } from './core/errors.ts'
import { createServer } from './core/http.ts'
import type { Log } from './core/log.ts'
import { mount } from './core/mount.ts'
import { withDocument } from './docs/api.ts'
import { eventEndpoints } from './events/api.ts'
import { setFanOut } from './events/log.ts'
import { callerOf, guard } from './keys/gate.ts'
import { keepAnswers } from './keys/idempotency.ts'
import { createLimiter } from './limits/window.ts'
import { messageEndpoints } from './messages/api.ts'
import { ticketEndpoints } from './tickets/api.ts'
import { webhookEndpoints } from './webhooks/api.ts'
import { openSender } from './webhooks/deliver.ts'
import { fanOut } from './webhooks/fanout.ts'

export interface AppDeps {
  config: Config
  db: Db
  log: Log
  vault: Vault
}

type ApiDeps = Parameters<typeof webhookEndpoints>[0]

export const base = '/api/v1'

/** Every operation of the public API, in the order of its documentation. */
export const publicApi = (deps: ApiDeps): Endpoint[] =>
  withDocument([
    ...ticketEndpoints,
    ...messageEndpoints,
    ...contactEndpoints,
    ...webhookEndpoints(deps),
    ...eventEndpoints,
  ])

const openPaths = (definitions: Endpoint[]): Set<string> =>
  new Set(
    definitions.filter(definition => definition.isPublic).map(definition => `${base}${definition.path}`),
  )

// Whatever role a process has: what it writes goes to the webhooks.
setFanOut(fanOut)

const notFound = async () => {
  throw new BriefError('not_found')
}

/** The server's table of contents. */
export async function buildApp(deps: AppDeps): Promise<FastifyInstance> {
  const { config, db, log } = deps
  const sender = openSender(config)
  const app = createServer({ log, trustProxy: config.trustProxy })
  const limiter = createLimiter()
  app.addHook('onClose', async () => {
    limiter.stop()
    await sender.close()
  })
  app.addHook('onRequest', async request => {
    if (request.is404 && !request.url.startsWith(`${base}/`)) throw new BriefError('not_found')
  })
  const definitions = publicApi({ sender, vault: deps.vault })
  const open = openPaths(definitions)
  await app.register(
    async api => {
      guard(api, { config, db, limiter }, url => open.has(url.split('?')[0]!))
      api.setNotFoundHandler(notFound)
      mount(api, definitions, { db, caller: callerOf, around: keepAnswers(deps.vault) })
    },
    { prefix: base },
  )
  return app
}
