import type { FastifyInstance, FastifyRequest } from 'fastify'
import { auditDashboard } from './audit/dashboard.ts'
import { projectEndpoints } from './billing/api.ts'
import { billingDashboard } from './billing/dashboard.ts'
import { cannedAnswerDashboard } from './canned-answers/dashboard.ts'
import { type ChannelDashboardDeps, channelsDashboard } from './channels/registry.ts'
import { conditionDashboard } from './conditions/dashboard.ts'
import { contactDashboard } from './contacts/dashboard.ts'
import { identityEndpoints } from './contacts/identity-api.ts'
import type { Config } from './core/config/config.ts'
import type { Vault } from './core/crypto.ts'
import type { Db } from './core/db/db.ts'
import { type Endpoint, replaceEarlier } from './core/endpoint.ts'
import { type MountOptions, mount } from './core/http/mount.ts'
import { createMailer } from './core/mail/mail.ts'
import type { OperatorRole } from './core/roles.ts'
import type { Log } from './core/telemetry/log.ts'
import { customFieldDashboard } from './custom-fields/dashboard.ts'
import { draftDashboard } from './drafts/dashboard.ts'
import { eventEndpoints } from './events/api.ts'
import { exportDashboard } from './exports/dashboard.ts'
import { firstStepDashboard } from './first-steps/dashboard.ts'
import { importDashboard } from './imports/dashboard.ts'
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
import { type NotificationDeps, notificationEndpoints } from './notifications/dashboard.ts'
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
import { organizationDashboard } from './organizations/dashboard.ts'
import { personalDataEndpoints } from './personal-data/api.ts'
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
  NotificationDeps &
  ChannelDashboardDeps

/** Sets the lowest role for operations that have none. */
const only = (minRole: OperatorRole, definitions: Endpoint[]): Endpoint[] =>
  definitions.map(definition => ({ minRole, ...definition }))

/**
 * The operations for people in a project, below /api/dashboard/projects/{project_id}. They include those of the public API. A later
 * definition with the same method and path replaces the public one.
 */
export const dashboardApi = (deps: Deps): Endpoint[] =>
  replaceEarlier([
    // Only customers rate, or integrations that have asked them.
    ...ticketEndpoints.filter(({ path }) => path !== '/tickets/{ticket_id}/rate'),
    ...messageEndpoints,
    ...contactDashboard,
    ...organizationDashboard,
    ...identityEndpoints(deps),
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
    ...firstStepDashboard,
    ...mediaDashboard(deps),
    ...keyDashboard,
    ...requestDashboard,
    ...tagDashboard,
    ...billingDashboard(deps),
    ...exportDashboard(deps),
    ...importDashboard,
    ...only('admin', personalDataEndpoints(deps)),
    ...knowledgeDashboard({ receiveFile: receiveTemporary, fileParts: uploadParts }),
    ...webhookDashboard(deps),
    ...channelsDashboard(deps),
    ...only('admin', eventEndpoints),
    ...cannedAnswerDashboard,
    ...conditionDashboard,
    ...customFieldDashboard,
    ...searchDashboard,
  ])

const signedInEndpoints = (deps: Deps): Endpoint[] => [...ownEndpoints, ...notificationEndpoints(deps)]

/** Prefixes below /api/dashboard, with their operations. */
export const dashboardGroups = (deps: Deps): Record<string, Endpoint[]> => ({
  '': [...openEndpoints(deps), ...signedInEndpoints(deps)],
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

type OtherDeps = Omit<Deps, keyof PeopleDeps | keyof LiveDeps | 'accountOf' | 'limiter'> & {
  underWay: Set<Promise<unknown>>
}

const prefix = '/api/dashboard'

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
  const all = { ...deps, ...others, users, mailer, live, sessionIdOf, accountOf: sessionOf }
  const options: MountOptions = { db, callerOf: personOf, wrap: (call, _, run) => run(call) }
  await app.register(async bounded => {
    limitConcurrency(bounded, config.requestsAtOnce)
    await bounded.register(
      async door => {
        guardSignIn(door, all)
        mountAuthRoutes(door, users)
      },
      { prefix: '/api/auth' },
    )
    const serve = (guard: typeof guardPublic, path: string, definitions: Endpoint[], own = options) =>
      bounded.register(
        async scope => {
          guard(scope, all)
          mount(scope, definitions, own)
        },
        { prefix: `${prefix}${path}` },
      )
    await serve(guardPublic, '', openEndpoints(all))
    await serve(guardSession, '', signedInEndpoints(all))
    const storing = { ...options, wrap: storeResponses(deps.vault) }
    await serve(guardProject, '/projects/:project_id', dashboardApi(all), storing)
  })
}
