import { randomInt } from 'node:crypto'
import { hmacHex, isSame, type Vault } from '../core/crypto.ts'
import type { Caller } from '../core/endpoint.ts'
import { ApiError, refuse } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import type { Mailer } from '../core/mail/mail.ts'
import { renderMail } from '../core/mail/mail-layout.ts'
import type { Log } from '../core/telemetry/log.ts'
import { changedBy } from '../events/ticket-history.ts'
import { type DbOrTx, type Tx, transact } from '../events/transaction.ts'
import { lockNamedContact } from './change.ts'
import { recordContactAudit } from './contact-audit.ts'
import { getIdentity } from './identity-change.ts'
import {
  deleteIdentityCode,
  findIdentityCode,
  findMailSender,
  insertIdentityCode,
  type SentCodeRow,
  updateWrongTries,
} from './identity-code-queries.ts'
import { updateIdentitiesVerified } from './identity-queries.ts'
import { updateContact } from './queries.ts'
import { identityMailTextsOf } from './texts/texts.ts'

/** A code that is mailed to an address. A person who knows it can read the mail there, so the address belongs to the contact. */

export interface IdentityDeps {
  vault: Vault
  mailer: Mailer | null
  log: Log
}

const maxWrongTries = 5

/** The maximum number of codes to one address in 24 hours, so that nobody is flooded with them. */
const maxCodes = 5

export const hashIdentityCode = (vault: Vault, projectId: string, address: string, code: string): Buffer =>
  Buffer.from(
    hmacHex(
      vault.derive('identity codes').toString('hex'),
      Buffer.from([projectId, address, code].join('\n')),
    ),
  )

function requireBudget(row: SentCodeRow | null): void {
  if (!row) return
  const wait = row.count >= maxCodes ? row.seconds_to_reset : row.seconds_to_next
  if (wait <= 0) return
  throw new ApiError('RATE_LIMIT_EXCEEDED', { retry_after: wait }, { 'retry-after': String(wait) })
}

async function writeCode(tx: Tx, { vault, mailer }: IdentityDeps, reference: string, name: string) {
  const contact = await lockNamedContact(tx, reference)
  const identity = await getIdentity(tx, tx.projectId, contact.id, name)
  if (identity.type !== 'email') throw refuse('identity', 'not_an_email_identity')
  if (identity.is_verified) throw refuse('identity', 'already_verified')
  if (!mailer) throw new ApiError('MAIL_NOT_SENT', { reason: 'not_set_up' })
  requireBudget(await findIdentityCode(tx, tx.projectId, identity))
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const sent = await insertIdentityCode(
    tx,
    identity,
    hashIdentityCode(vault, tx.projectId, identity.value, code),
  )
  return { code, sent, address: identity.value, language: contact.language }
}

/** Mails a new code. The code before it is no longer valid. */
export async function sendCode(
  deps: IdentityDeps,
  store: DbOrTx,
  caller: Caller,
  reference: string,
  name: string,
) {
  const { mailer, log } = deps
  const projectId = caller.project.id
  const { code, sent, address, language } = await transact(store, projectId, tx =>
    writeCode(tx, deps, reference, name),
  )
  const sender = await findMailSender(store, projectId)
  const texts = identityMailTextsOf(language ?? sender.locale)
  const letter = {
    language: texts,
    from: sender.name,
    color: sender.color,
    values: { project: sender.name, code },
  }
  try {
    await mailer!.send({
      id: newId(),
      to: [address],
      sender: sender.name,
      ...renderMail(texts.texts.code, letter),
    })
  } catch (error) {
    log.warn({ err: error }, 'Could not send an email with a code; check SMTP_URL')
    throw new ApiError('MAIL_NOT_SENT', { reason: 'refused' })
  }
  return sent
}

/** Null if the code is right. A wrong one counts, even though the request fails. */
async function checkCode(
  tx: Tx,
  { vault }: IdentityDeps,
  caller: Caller,
  path: [string, string],
  code: string,
) {
  const contact = await lockNamedContact(tx, path[0])
  const identity = await getIdentity(tx, tx.projectId, contact.id, path[1])
  const row = await findIdentityCode(tx, tx.projectId, identity)
  if (!row || row.is_expired || row.wrong_tries >= maxWrongTries) return 'code_expired'
  if (
    !isSame(hashIdentityCode(vault, tx.projectId, identity.value, code.replaceAll(/\D/g, '')), row.code_hash)
  ) {
    await updateWrongTries(tx, identity)
    return 'wrong_code'
  }
  await deleteIdentityCode(tx, identity)
  const verification = { how: 'code' as const, by: changedBy(caller) }
  await updateIdentitiesVerified(tx, tx.projectId, contact.id, [identity], verification)
  await updateContact(tx, contact.id, {})
  await recordContactAudit(tx, caller, 'identity.verified', contact.id, { type: identity.type })
  return null
}

export async function confirmCode(
  deps: IdentityDeps,
  store: DbOrTx,
  caller: Caller,
  [reference, name]: [string, string],
  code: string,
) {
  const problem = await transact(store, caller.project.id, tx =>
    checkCode(tx, deps, caller, [reference, name], code),
  )
  if (problem === 'code_expired') throw refuse('code', 'code_expired')
  if (problem === 'wrong_code') throw refuse('code', 'wrong_code')
  return transact(store, caller.project.id, async tx => {
    const { id } = await lockNamedContact(tx, reference)
    return getIdentity(tx, tx.projectId, id, name)
  })
}
