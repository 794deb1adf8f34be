import type { FastifyInstance, FastifyRequest } from 'fastify'
import { auditDashboard } from './audit/dashboard.ts'
import { projectEndpoints } from './billing/api.ts'
import { billingDashboard } from './billing/dashboard.ts'
import { cannedAnswerDashboard } from './canned-answers/dashboard.ts'
import { type MessengerDeps, messengerDashboard } from './channels/dashboard.ts'
import { type WidgetSettingsDeps, widgetDashboard } from './channels/widget/dashboard.ts'
import { contactEndpoints } from './contacts/api.ts'
import type { Config } from './core/config/config.ts'
import type { Vault } from './core/crypto.ts'
import type { Db } from './core/db/db.ts'
import type { Endpoint } from './core/endpoint.ts'
import { mount, type WrapOperation } from './core/http/mount.ts'
import { createMailer } from './core/mail/mail.ts'
import type { OperatorRole } from './core/roles.ts'
import type { Log } from './core/telemetry/log.ts'
import { customFieldDashboard } from './custom-fields/dashboard.ts'
import { draftDashboard } from './drafts/dashboard.ts'
import { eventEndpoints } from './events/api.ts'
import { exportDashboard } from './exports/dashboard.ts'
import { keyDashboard } from './keys/dashboard.ts'
import { storeResponses } from './keys/idempotency.ts'
import { type KnowledgeDeps, knowledgeEndpoints } from './knowledge/api.ts'
import { knowledgeDashboard } from './knowledge/dashboard.ts'
import { limitConcurrency } from './limits/concurrency.ts'
import type { Limiter } from './limits/limiter.ts'
import { type LiveDeps, liveDashboard } from './live/dashboard.ts'
import { openLive } from './live/live.ts'
import { mediaEndpoints } from './media/api.ts'
import { type FilesDeps, mediaDashboard } from './media/dashboard.ts'
import { uploadParts } from './media/schema.ts'
import { receiveTemporary } from './media/temporary.ts'
import { messageEndpoints } from './messages/api.ts'
import { messageDashboard } from './messages/dashboard.ts'
import { openEndpoints, ownEndpoints } from './operators/account.ts'
import { operatorEndpoints } from './operators/api.ts'
import { operatorDashboard } from './operators/dashboard.ts'
import type { OperatorDeps as PeopleDeps } from './operators/deps.ts'
import {
  guardProject,
  guardPublic,
  guardSession,
  guardSignIn,
  personOf,
  sessionOf,
} from './operators/gate.ts'
import {
  isAwaited,
  joinAwaited,
  listRevokedSessions,
  mailSecurityChange,
  recordSignInLock,
} from './operators/operators.ts'
import { projectDashboard } from './projects/dashboard.ts'
import { requestDashboard } from './requests/dashboard.ts'
import { searchDashboard } from './search/dashboard.ts'
import { tagEndpoints } from './tags/api.ts'
import { tagDashboard } from './tags/dashboard.ts'
import { ticketEndpoints } from './tickets/api.ts'
import { ticketDashboard } from './tickets/dashboard.ts'
import { moveTicketsToDepartment, releaseTickets } from './tickets/tickets.ts'
import { endOwnSessions, mountAuthRoutes, openUsers } from './users/users.ts'
import { viewDashboard } from './views/dashboard.ts'
import { webhookEndpoints } from './webhooks/api.ts'
import { webhookDashboard } from './webhooks/dashboard.ts'

type Deps = Parameters<typeof webhookEndpoints>[0] &
  Omit<FilesDeps, 'mayReach'> &
  KnowledgeDeps &
  PeopleDeps &
  LiveDeps &
  MessengerDeps &
  WidgetSettingsDeps

/** Sets the lowest role for operations that have none. */
const only = (minRole: OperatorRole, definitions: Endpoint[]): Endpoint[] =>
  definitions.map(definition => ({ minRole, ...definition }))

/** Without rating: only customers rate, or integrations that have asked them. */
const withoutRating = (definitions: Endpoint[]): Endpoint[] =>
  definitions.filter(({ path }) => path !== '/tickets/{ticket_id}/rate')

/**
 * The operations for people in a project, below /api/dashboard/projects/{project_id}. They include those of the public API. A later
 * definition with the same method and path replaces the public one.
 */
export const dashboardApi = (deps: Deps): Endpoint[] =>
  replaceEarlier([
    ...withoutRating(ticketEndpoints),
    ...messageEndpoints,
    ...contactEndpoints,
    ...mediaEndpoints(deps),
    ...knowledgeEndpoints(deps),
    ...only('admin', webhookEndpoints(deps)),
    ...projectEndpoints,
    ...operatorEndpoints,
    ...operatorDashboard(deps, { release: releaseTickets, move: moveTicketsToDepartment }),
    ...tagEndpoints,
    ...auditDashboard,
    ...liveDashboard(deps),
    ...messageDashboard,
    ...draftDashboard,
    ...ticketDashboard,
    ...viewDashboard,
    ...projectDashboard,
    ...mediaDashboard(deps),
    ...keyDashboard,
    ...requestDashboard,
    ...tagDashboard,
    ...billingDashboard(deps),
    ...exportDashboard(deps),
    ...knowledgeDashboard({ receiveFile: receiveTemporary, fileParts: uploadParts }),
    ...webhookDashboard(deps),
    ...widgetDashboard(deps),
    ...messengerDashboard(deps),
    ...only('admin', eventEndpoints),
    ...cannedAnswerDashboard,
    ...customFieldDashboard,
    ...searchDashboard,
  ])

const replaceEarlier = (definitions: Endpoint[]): Endpoint[] => [
  ...new Map(definitions.map(definition => [`${definition.method} ${definition.path}`, definition])).values(),
]

/** Prefixes below /api/dashboard, with their operations. */
export const dashboardGroups = (deps: Deps): Record<string, Endpoint[]> => ({
  '': [...openEndpoints(deps), ...ownEndpoints],
  '/projects/{project_id}': dashboardApi(deps),
})

interface AppDeps {
  config: Config
  db: Db
  log: Log
  vault: Vault
  limiter: Limiter
  stopping: AbortSignal
}

type OtherDeps = Omit<Deps, keyof PeopleDeps | keyof LiveDeps> & { underWay: Set<Promise<unknown>> }

const prefix = '/api/dashboard'

const plain: WrapOperation = (call, _definition, run) => run(call)

/** Mounts sign-in and the operations for people. */
export async function mountDashboard(app: FastifyInstance, deps: AppDeps, others: OtherDeps): Promise<void> {
  const { config, db } = deps
  await endOwnSessions(db, config)
  const mailer = createMailer(config)
  const users = openUsers({
    ...deps,
    isAwaited: (email, linkToken) => isAwaited(db, email, linkToken),
    onArrival: (userId, mayJoin) => joinAwaited(deps, userId, mayJoin),
    onLock: email => recordSignInLock(db, email),
    onSecurityChange: (email, change) =>
      mailSecurityChange({ ...deps, mailer, underWay: others.underWay }, email, change),
  })
  const live = openLive({
    ...deps,
    checkSessions: (id, asked) => listRevokedSessions(db, id, asked, config.oidcSecondStep === 'provider'),
  })
  app.addHook('onClose', async () => live.stop())
  const sessionIdOf = (request: FastifyRequest) => sessionOf(request).id
  const all = { ...deps, ...others, users, mailer, live, sessionIdOf }
  const gate = { ...deps, users }
  const options = { db, callerOf: personOf, wrap: plain }
  await app.register(async bounded => {
    limitConcurrency(bounded, config.requestsAtOnce)
    await bounded.register(
      async door => {
        guardSignIn(door, gate)
        mountAuthRoutes(door, users)
      },
      { prefix: '/api/auth' },
    )
    await bounded.register(
      async open => {
        guardPublic(open, gate)
        mount(open, openEndpoints(all), options)
      },
      { prefix },
    )
    await bounded.register(
      async own => {
        guardSession(own, gate)
        mount(own, ownEndpoints, options)
      },
      { prefix },
    )
    await bounded.register(
      async project => {
        guardProject(project, gate)
        mount(project, dashboardApi(all), { ...options, wrap: storeResponses(deps.vault) })
      },
      { prefix: `${prefix}/projects/:project_id` },
    )
  })
}
