import { randomBytes } from 'node:crypto'
import { sha256 } from '../../core/crypto.ts'
import type { Sql } from '../../core/db/db.ts'
import type { Call } from '../../core/endpoint.ts'
import { newId } from '../../core/ids.ts'
import { readLocale } from '../../core/text/locale.ts'
import { spendAddressBudget } from '../../limits/rate-limit.ts'
import type { ChatDeps } from './deps.ts'
import { deleteVisitorToken, findVisitor, insertVisitor, type VisitorFields } from './queries.ts'
import type { NewVisitor, VisitorRecord } from './schema.ts'
import type { Visitor } from './visitor.ts'

const makeToken = (): string => `vt_${randomBytes(32).toString('base64url')}`

const maxLocaleLength = 35

/** What a browser says about itself. An invalid language tag is left out. */
export const browserFieldsOf = ({ locale, page_url, surface }: NewVisitor) => ({
  ...(locale && { locale: readLocale(locale)?.slice(0, maxLocaleLength) ?? null }),
  ...(page_url && { page_url }),
  ...(surface && { surface }),
})

export const toVisitor = (visitor: Visitor): VisitorRecord => {
  const { id, is_identified, is_verified, contact_id } = visitor
  const { name, email, ticket_id, locale, surface, last_seq } = visitor
  const is_known = contact_id !== null
  return { id, is_identified, is_verified, is_known, name, email, ticket_id, locale, surface, last_seq }
}

/** Creates a visitor with a new token, of which only the hash is stored. */
export async function createVisitorRow(sql: Sql, projectId: string, fields: VisitorFields) {
  const token = makeToken()
  const id = newId()
  await insertVisitor(sql, projectId, { id, token_hash: sha256(token), ...fields })
  return { token, visitor: (await findVisitor(sql, projectId, id))! }
}

/** Limits how many visitors an address may create per minute. */
export const spendVisitorBudget = ({ limiter, config }: ChatDeps, { request }: Pick<Call, 'request'>) =>
  spendAddressBudget(limiter, 'visitors', request.ip, config.visitorsPerIp)

export async function createVisitor(deps: ChatDeps, call: Call, input: NewVisitor) {
  await spendVisitorBudget(deps, call)
  const { token, visitor } = await createVisitorRow(call.db, call.project.id, browserFieldsOf(input))
  return { token, visitor: toVisitor(visitor) }
}

export const showVisitor = async (visitor: Visitor): Promise<VisitorRecord> => toVisitor(visitor)

/** Invalidates the token. What the visitor wrote stays. */
export async function endVisitorSession(sql: Sql, projectId: string, { id }: Visitor): Promise<null> {
  await deleteVisitorToken(sql, projectId, id, randomBytes(32))
  return null
}
