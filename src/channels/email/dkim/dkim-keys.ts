import { generateKeyPair, randomBytes } from 'node:crypto'
import { domainToASCII } from 'node:url'
import { promisify } from 'node:util'
import { recordAudit } from '../../../audit/audit.ts'
import type { Vault } from '../../../core/crypto.ts'
import type { Db, Sql } from '../../../core/db/db.ts'
import { domainOf } from '../../../core/email.ts'
import { type Tx, transact } from '../../../events/transaction.ts'
import type { DkimKey } from '../../../mail/compose/outgoing-email.ts'
import { createDns, type Dns, findTexts } from '../../../mail/dns.ts'
import type { AccountCaller } from '../../accounts/account-rules.ts'
import type { FetchedMailbox, MailboxRow } from '../mailboxes/mailbox.ts'
import { getMailbox } from '../mailboxes/mailboxes.ts'
import { lockMailbox } from '../mailboxes/queries.ts'
import {
  type DkimKeyRow,
  deleteDkimKeys,
  deleteReplacedKeys,
  findPublishedKey,
  insertDkimKey,
  listDkimKeys,
  listUncheckedKeys,
  updateDkimStatus,
} from './dkim-queries.ts'

/** Manages the keys that Deskbell signs emails with (DKIM). All mailboxes of a project at the same domain share them. */

/** Bits. Longer keys do not fit into the DNS records of some providers. */
const modulusLength = 2_048

export interface ShownKey extends Omit<DkimKeyRow, 'domain' | 'public_key'> {
  /** The name of the DNS record. */
  name: string
  /** The content of the DNS record. */
  record: string
  is_signing: boolean
}

export interface DkimKeys {
  domain: string
  keys: ShownKey[]
}

const labelOf = (projectId: string, domain: string, selector: string): string =>
  `dkim ${projectId} ${domain} ${selector}`

const nameOf = ({ domain, selector }: Pick<DkimKeyRow, 'domain' | 'selector'>): string =>
  `${selector}._domainkey.${domainToASCII(domain)}`

/** Random, because the domain may also have keys of a provider or of another project. */
const makeSelector = (): string => `deskbell-${randomBytes(4).toString('hex')}`

async function makeKey(vault: Vault, projectId: string, domain: string) {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const selector = makeSelector()
  const sealed = vault.seal(privateKey, labelOf(projectId, domain, selector))
  return { domain, selector, public_key: publicKey.toString('base64'), sealed }
}

export async function showDkimKeys(
  sql: Sql,
  projectId: string,
  mailbox: Pick<MailboxRow, 'address'>,
): Promise<DkimKeys> {
  const domain = domainOf(mailbox.address)
  const rows = await listDkimKeys(sql, projectId, domain)
  const signing = rows.findLast(({ status }) => status === 'published')
  const keys = rows.map(row => {
    const { domain: _, public_key, ...shown } = row
    return {
      ...{ ...shown, name: nameOf(row), record: `v=DKIM1; k=rsa; p=${public_key}` },
      is_signing: row === signing,
    }
  })
  return { domain: domainToASCII(domain), keys }
}

async function change(
  db: Db,
  caller: AccountCaller,
  mailboxId: string,
  work: (tx: Tx, mailbox: MailboxRow) => Promise<'mailbox.key_made' | 'mailbox.key_deleted' | null>,
): Promise<DkimKeys> {
  const { id: projectId } = caller.project
  return transact(db, projectId, async tx => {
    const mailbox = await getMailbox(tx, projectId, mailboxId)
    await lockMailbox(tx, projectId, mailbox.id)
    const action = await work(tx, mailbox)
    const target = { type: 'mailbox' as const, id: mailbox.id, name: mailbox.address }
    if (action)
      await recordAudit(tx, projectId, caller.actor, action, target, { domain: domainOf(mailbox.address) })
    return showDkimKeys(tx, projectId, mailbox)
  })
}

/** Creates a key, unless there is already an unpublished one. Once published, it replaces the key that was published before. */
export async function createDkimKey(
  { db, vault }: { db: Db; vault: Vault },
  caller: AccountCaller,
  mailboxId: string,
): Promise<DkimKeys> {
  const { id: projectId } = caller.project
  const key = await makeKey(vault, projectId, domainOf((await getMailbox(db, projectId, mailboxId)).address))
  return change(db, caller, mailboxId, async tx => {
    const rows = await listDkimKeys(tx, projectId, key.domain)
    if (rows.some(({ status }) => status !== 'published')) return null
    await insertDkimKey(tx, projectId, key)
    return 'mailbox.key_made'
  })
}

export const deleteDkim = (db: Db, caller: AccountCaller, mailboxId: string): Promise<DkimKeys> =>
  change(db, caller, mailboxId, async (tx, mailbox) =>
    (await deleteDkimKeys(tx, tx.projectId, domainOf(mailbox.address))) ? 'mailbox.key_deleted' : null,
  )

/** The public key in a record, without the spaces that some providers insert. */
const keyIn = (record: string): string =>
  (/(?:^|;)\s*p\s*=([^;]*)/i.exec(record)?.[1] ?? '').replaceAll(/\s/g, '')

/** Compares the published record with the key. Returns null if the look-up failed. */
async function compareRecord(dns: Dns, row: DkimKeyRow): Promise<DkimKeyRow['status'] | null> {
  const found = await findTexts(dns, nameOf(row), /(?:^|;)\s*p\s*=/i)
  if (!found) return null
  // If there are several records, a recipient may pick any of them, so all must be right.
  if (found.length > 0)
    return found.every(record => keyIn(record) === row.public_key) ? 'published' : 'differs'
  return 'missing'
}

/** Looks up the DNS records. Returns false if a look-up failed, which leaves the status of its key unchanged. */
export async function checkDkimKeys(db: Db, projectId: string, domain: string, dns: Dns): Promise<boolean> {
  const rows = await listDkimKeys(db, projectId, domain)
  const statuses = await Promise.all(rows.map(row => compareRecord(dns, row)))
  for (const [at, row] of rows.entries())
    if (statuses[at]) await updateDkimStatus(db, projectId, row, statuses[at])
  await deleteReplacedKeys(db, projectId, domain)
  return !statuses.includes(null)
}

export async function checkDkim(
  db: Db,
  projectId: string,
  mailboxId: string,
  dns: Dns,
): Promise<DkimKeys & { is_checked: boolean }> {
  const mailbox = await getMailbox(db, projectId, mailboxId)
  const isChecked = await checkDkimKeys(db, projectId, domainOf(mailbox.address), dns)
  return { ...(await showDkimKeys(db, projectId, mailbox)), is_checked: isChecked }
}

/** Looks up the records of keys once a day, so that no email is signed with a key whose record was removed. */
export async function recheckDkimKeys(db: Db, dns = createDns()): Promise<number> {
  for (const { project_id, domain } of await listUncheckedKeys(db))
    await checkDkimKeys(db, project_id, domain, dns)
  return 0
}

/** Finds the key to sign a mailbox's emails with; null if none is published. */
export async function findSigningKey(
  sql: Sql,
  vault: Vault,
  { project_id, address }: Pick<FetchedMailbox, 'project_id' | 'address'>,
): Promise<DkimKey | null> {
  const domain = domainOf(address)
  const found = await findPublishedKey(sql, project_id, domain)
  if (!found) return null
  const { selector, sealed } = found
  const privateKey = vault.open(sealed, labelOf(project_id, domain, selector))
  return { domain: domainToASCII(domain), selector, privateKey }
}
