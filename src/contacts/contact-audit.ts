import { type AuditAction, recordAudit } from '../audit/audit.ts'
import type { Caller } from '../core/endpoint.ts'
import type { Tx } from '../events/transaction.ts'

/** The entry names no address and no value, so that it may stay when the contact is deleted. */
export const recordContactAudit = (
  tx: Tx,
  { actor }: Caller,
  action: AuditAction,
  contactId: string,
  detail: Record<string, unknown> = {},
): Promise<void> => recordAudit(tx, tx.projectId, actor, action, { type: 'contact', id: contactId }, detail)
