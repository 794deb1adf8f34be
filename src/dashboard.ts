import { auditDashboard } from './audit/dashboard.ts'
import { projectEndpoints } from './billing/api.ts'
import { billingDashboard } from './billing/dashboard.ts'
import { contactEndpoints } from './contacts/api.ts'
import type { Config } from './core/config.ts'
import type { Endpoint, Role } from './core/endpoint.ts'
import { eventEndpoints } from './events/api.ts'
import { exportDashboard } from './exports/dashboard.ts'
import { keyDashboard } from './keys/dashboard.ts'
import { type KnowledgeDeps, knowledgeEndpoints } from './knowledge/api.ts'
import { knowledgeDashboard } from './knowledge/dashboard.ts'
import { mediaEndpoints } from './media/api.ts'
import { type FilesDeps, mediaDashboard } from './media/dashboard.ts'
import { uploadParts } from './media/schema.ts'
import { receiveTemporary } from './media/temporary.ts'
import { messageEndpoints } from './messages/api.ts'
import { operatorEndpoints } from './operators/api.ts'
import { projectDashboard } from './projects/dashboard.ts'
import { requestDashboard } from './requests/dashboard.ts'
import { tagEndpoints } from './tags/api.ts'
import { tagDashboard } from './tags/dashboard.ts'
import { ticketEndpoints } from './tickets/api.ts'
import { webhookEndpoints } from './webhooks/api.ts'
import { webhookDashboard } from './webhooks/dashboard.ts'

type Deps = Parameters<typeof webhookEndpoints>[0] & FilesDeps & KnowledgeDeps & { config: Config }

/** Those of them that have no role of their own. */
const only = (may: Role, definitions: Endpoint[]): Endpoint[] =>
  definitions.map(definition => ({ may, ...definition }))

/**
 * What people do in a project, below /api/dashboard/projects/{project_id}. What an integration can do they do by the same
 * operations; a later definition of the same method and path stands in for the public one.
 */
export const dashboardApi = (deps: Deps): Endpoint[] =>
  replaceEarlier([
    ...ticketEndpoints,
    ...messageEndpoints,
    ...contactEndpoints,
    ...mediaEndpoints(deps),
    ...knowledgeEndpoints(deps),
    ...only('admin', webhookEndpoints(deps)),
    ...projectEndpoints,
    ...operatorEndpoints,
    ...tagEndpoints,
    ...auditDashboard,
    ...projectDashboard,
    ...mediaDashboard(deps),
    ...keyDashboard,
    ...requestDashboard,
    ...tagDashboard,
    ...billingDashboard(deps),
    ...exportDashboard(deps),
    ...knowledgeDashboard({ receiveFile: receiveTemporary, fileParts: uploadParts }),
    ...webhookDashboard(deps),
    ...only('admin', eventEndpoints),
  ])

const replaceEarlier = (definitions: Endpoint[]): Endpoint[] => [
  ...new Map(definitions.map(definition => [`${definition.method} ${definition.path}`, definition])).values(),
]
