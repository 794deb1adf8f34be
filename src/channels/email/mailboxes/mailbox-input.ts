import { isDeepStrictEqual } from 'node:util'
import { addressRuleOf } from '../../../core/address.ts'
import type { Config } from '../../../core/config.ts'
import type { Vault } from '../../../core/crypto.ts'
import type { Sql } from '../../../core/db.ts'
import { foldEmail, isEmail } from '../../../core/email.ts'
import { refuse } from '../../../core/errors.ts'
import { findDepartment } from '../../../operators/operators.ts'
import { isMoved, readImap, readSecrets } from './imap-settings.ts'
import type { FetchedMailbox, ImapInput, MailboxRow } from './mailbox.ts'
import { openSecrets, sealSecrets } from './secrets.ts'

/** Reads and validates mailbox settings. */

export interface MailboxDeps {
  config: Pick<Config, 'publicUrl' | 'webhookAllowedCidrs'>
  vault: Vault
}

export const editableFields = [
  'name',
  'department_id',
  'signature',
  'texts',
  'incoming',
  'folders',
  'after_fetch',
  'after_fetch_days',
  'after_fetch_folder',
  'start_from',
  'start_days',
  'plus_works',
  'authserv_ids',
  'form_senders',
  'trusts_spam_headers',
] as const

export function requireSettings(row: Pick<MailboxRow, 'incoming' | 'imap'> & Partial<MailboxRow>): void {
  if (row.incoming === 'imap' && !row.imap) throw refuse('imap', 'required')
  if (row.after_fetch === 'move' && !row.after_fetch_folder) throw refuse('after_fetch_folder', 'required')
  if (row.after_fetch === 'move' && row.folders?.includes(row.after_fetch_folder!))
    throw refuse('after_fetch_folder', 'is_fetched')
  if (row.start_from === 'days' && !row.start_days) throw refuse('start_days', 'required')
}

export async function requireDepartment(
  sql: Sql,
  projectId: string,
  id: string | null | undefined,
): Promise<void> {
  if (id && !(await findDepartment(sql, projectId, id))) throw refuse('department_id', 'not_found')
}

export function readMailAddress(field: string, text: string): string {
  if (!isEmail(text)) throw refuse(field, 'not_an_email')
  return foldEmail(text)
}

interface Access {
  imap: MailboxRow['imap']
  secrets: Buffer | null
}

/** Stored secrets are never sent to a server other than the one they were entered for. */
export function readAccess(
  { config, vault }: MailboxDeps,
  projectId: string,
  mailbox: Pick<FetchedMailbox, 'id' | 'address' | 'imap' | 'secrets'>,
  input: ImapInput,
): Access {
  const { isAllowed: mayReach } = addressRuleOf(config)
  const imap = readImap(input, mailbox.imap, { address: mailbox.address, mayReach })
  const old = isMoved(mailbox.imap, imap) ? {} : openSecrets(vault, { ...mailbox, project_id: projectId })
  const secrets = readSecrets(input, imap, old)
  // A renewal of the tokens that is under way is stored only if the encrypted secrets have not changed.
  if (isDeepStrictEqual(secrets, old)) return { imap, secrets: mailbox.secrets }
  return { imap, secrets: sealSecrets(vault, projectId, mailbox.id, secrets) }
}
