import type { FastifyInstance } from 'fastify'
import { projectEndpoints } from './billing/api.ts'
import { mountStripe, stripeOf } from './billing/billing.ts'
import { channelApi, connectChannels, mountChannels } from './channels/registry.ts'
import { contactEndpoints, identityEndpoints } from './contacts/api.ts'
import type { IdentityDeps } from './contacts/contacts.ts'
import type { Config } from './core/config/config.ts'
import type { Vault } from './core/crypto.ts'
import type { Db } from './core/db/db.ts'
import { isForFullDisk } from './core/db/full-disk.ts'
import type { Endpoint } from './core/endpoint.ts'
import { BriefError } from './core/errors.ts'
import { showFonts } from './core/fonts/fonts.ts'
import { createServer } from './core/http/http.ts'
import { type MountOptions, mount } from './core/http/mount.ts'
import { warnOfProxies } from './core/http/proxy-warnings.ts'
import { createMailer } from './core/mail/mail.ts'
import type { Log } from './core/telemetry/log.ts'
import { customFieldEndpoints } from './custom-fields/api.ts'
import { mountDashboard } from './dashboard.ts'
import { withDocument } from './docs/api.ts'
import { showDocument } from './docs/page.ts'
import { draftEndpoints } from './drafts/api.ts'
import { eventEndpoints } from './events/api.ts'
import { mountHelp } from './help/site.ts'
import { importEndpoints } from './imports/api.ts'
import { callerOf, guardApi } from './keys/gate.ts'
import { storeResponses } from './keys/idempotency.ts'
import { listRevokedKeys } from './keys/keys.ts'
import { type KnowledgeDeps, knowledgeEndpoints } from './knowledge/api.ts'
import { limitConcurrency } from './limits/concurrency.ts'
import { type Limiter, openLimiter } from './limits/limiter.ts'
import { linkEndpoints, mediaEndpoints } from './media/api.ts'
import { createStorages, signLinksWith } from './media/media.ts'
import type { UploadDeps } from './media/upload.ts'
import { messageEndpoints } from './messages/api.ts'
import { mountUnsubscribe } from './notifications/notifications.ts'
import { operatorEndpoints } from './operators/api.ts'
import { organizationEndpoints } from './organizations/api.ts'
import { personalDataEndpoints } from './personal-data/api.ts'
import { createRecorder, recordRequests } from './requests/requests.ts'
import { tagEndpoints } from './tags/api.ts'
import { ticketEndpoints } from './tickets/api.ts'
import { updateEndpoints } from './updates/api.ts'
import { openUpdates } from './updates/updates.ts'
import { showDashboard } from './web.ts'
import { webhookEndpoints } from './webhooks/api.ts'
import type { Sender } from './webhooks/send.ts'
import { openSender } from './webhooks/worker.ts'
import { mountWidget } from './widget.ts'

export interface AppDeps {
  config: Config
  db: Db
  log: Log
  vault: Vault
  /** Used instead of the limiter of the settings. */
  limiter?: Limiter
  /** Used instead of the sender of the settings. */
  sender?: Sender
  /** Aborted when the process is told to stop. Requests in progress may still finish. */
  stopping: AbortSignal
}

type ApiDeps = Parameters<typeof webhookEndpoints>[0] &
  Parameters<typeof updateEndpoints>[0] &
  UploadDeps &
  KnowledgeDeps &
  IdentityDeps

export const base = '/api/v1'

/** Every operation of the public API, in the order of its documentation. */
export const publicApi = (deps: ApiDeps): Endpoint[] =>
  withDocument(
    [
      ...ticketEndpoints,
      ...messageEndpoints,
      ...draftEndpoints,
      ...contactEndpoints,
      ...organizationEndpoints,
      ...identityEndpoints(deps),
      ...mediaEndpoints(deps),
      ...personalDataEndpoints(deps),
      ...importEndpoints,
      ...knowledgeEndpoints(deps),
      ...webhookEndpoints(deps),
      ...projectEndpoints,
      ...operatorEndpoints,
      ...tagEndpoints,
      ...customFieldEndpoints,
      ...channelApi(deps),
      ...eventEndpoints,
      ...updateEndpoints(deps),
    ],
    deps.publicUrl,
  )

const publicPaths = (definitions: Endpoint[]): Set<string> =>
  new Set(
    definitions.filter(definition => definition.isPublic).map(definition => `${base}${definition.path}`),
  )

const notFound = async () => {
  throw new BriefError('not_found')
}

/** For requests without a key, which have no project. */
const nobody = () => undefined

/** Files that everybody with their address may read. */
const mountLinks = (app: FastifyInstance, deps: AppDeps & { limiter: Limiter }, uploading: UploadDeps) =>
  app.register(
    async chat => {
      guardApi(chat, deps, () => true)
      const options: MountOptions = { db: deps.db, callerOf: nobody, wrap: (call, _, run) => run(call) }
      mount(chat, linkEndpoints(uploading), options)
    },
    { prefix: '/api/media' },
  )

function openUploading(app: FastifyInstance, deps: AppDeps): UploadDeps {
  signLinksWith(deps.vault)
  connectChannels(deps)
  const uploading: UploadDeps = { storages: createStorages(deps), log: deps.log, underWay: new Set() }
  app.addHook('onClose', () => Promise.allSettled(uploading.underWay))
  return uploading
}

function keepRequests(api: FastifyInstance, { config, db, log }: AppDeps): void {
  if (config.requestLog === 'off') return
  const recorder = createRecorder(db, log)
  recordRequests(api, recorder, callerOf)
  api.addHook('onClose', () => recorder.stop())
}

const isOfApi = (url: string): boolean => {
  const [path = ''] = url.split('?')
  return path === base || path.startsWith(`${base}/`)
}

function openServer({ config, log }: AppDeps): FastifyInstance {
  const { trustProxy } = config
  const app = createServer({ log, trustProxy, isForFullDisk: error => isForFullDisk(error, config) })
  warnOfProxies(app, config, log)
  return app
}

/** The server's table of contents. */
export async function buildApp(deps: AppDeps): Promise<FastifyInstance> {
  const { config, db, log } = deps
  const sender = deps.sender ?? openSender(config)
  const app = openServer(deps)
  const limiter = deps.limiter ?? (await openLimiter(config, db, log))
  const updates = openUpdates({
    ...deps,
    checkKeys: (id, keys) => listRevokedKeys(db, id, keys),
  })
  app.addHook('onClose', async () => {
    await limiter.close()
    updates.stop()
    await sender.close()
  })
  app.addHook('onRequest', async request => {
    if (request.is404 && !isOfApi(request.url)) throw new BriefError('not_found')
  })
  showDocument(app)
  showFonts(app)
  const uploading = openUploading(app, deps)
  const { publicUrl } = config
  const mailer = createMailer(config)
  const definitions = publicApi({ sender, updates, vault: deps.vault, publicUrl, mailer, ...uploading })
  const publicUrls = publicPaths(definitions)
  await app.register(
    async api => {
      limitConcurrency(api, config.requestsAtOnce)
      guardApi(api, { config, db, limiter }, url => publicUrls.has(url.split('?')[0]!))
      keepRequests(api, deps)
      api.setNotFoundHandler(notFound)
      mount(api, definitions, { db, callerOf, wrap: storeResponses(deps.vault) })
    },
    { prefix: base },
  )
  const stripe = stripeOf(config)
  if (stripe)
    await app.register(async billing => mountStripe(billing, { db, limiter, settings: stripe }), {
      prefix: '/api/billing',
    })
  await mountLinks(app, { ...deps, limiter }, uploading)
  await mountChannels(app, { ...deps, limiter })
  await mountDashboard(app, { ...deps, limiter }, { sender, vault: deps.vault, publicUrl, ...uploading })
  await mountWidget(app, { ...deps, ...uploading, limiter })
  await mountHelp(app, { ...deps, limiter })
  await mountUnsubscribe(app, { ...deps, limiter })
  showDashboard(app, deps.config)
  return app
}
