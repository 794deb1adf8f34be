export type { AuditAction } from './actions.ts'
export { pageAuditEntries } from './list.ts'
export { type AuditAuthor, type AuditTarget, authorColumns, recordAudit, recordAudits } from './record.ts'
