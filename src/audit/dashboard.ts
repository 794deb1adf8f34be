import { type Endpoint, endpoint } from '../core/endpoint.ts'
import { pageAuditEntries } from './list.ts'
import { auditList, auditQuery } from './schema.ts'

export const auditDashboard: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/audit',
    tag: 'Audit log',
    summary: 'List who changed what',
    minRole: 'admin',
    query: auditQuery,
    responses: { 200: auditList },
    errors: [],
    run: ({ db, project, query }) => pageAuditEntries(db, project.id, query),
  }),
]
