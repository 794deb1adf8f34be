import { allOf, conditionIf, hasFields, timeRange } from '../core/db/conditions.ts'
import type { Fragment, Sql } from '../core/db/db.ts'
import { isEmail } from '../core/email.ts'
import { ApiError } from '../core/errors.ts'
import { isId } from '../core/ids.ts'
import { isFirstPage, type Listed, listPage } from '../core/paging/paging.ts'
import { readPlainPieces } from '../core/words/pieces.ts'
import { contactLinks } from '../events/envelope.ts'
import { type DbOrTx, type Tx, transactAndRead } from '../events/transaction.ts'
import { listTagSpellings } from '../tags/tags.ts'
import { ask, askBoth, printQuestion, type Words } from '../words/words.ts'
import { storedEmailSpelling } from './identities.ts'
import type { Identity, IdentityType } from './identity-queries.ts'
import {
  type ContactRow,
  countContacts,
  findContact,
  findContactByIdentity,
  findContactIds,
  listContacts,
} from './queries.ts'
import type { Contact, ContactQuery } from './schema.ts'

export const toContact = (row: ContactRow): Contact => ({
  ...row,
  _links: { self: `/api/v1/contacts/${row.id}`, ...contactLinks(row.id) },
})

const aliases: IdentityType[] = ['email', 'telegram', 'external', 'channel']

/** Resolves an id, or an identifier such as `email:ann@x.io`, `telegram:12345678` or `external:user-42`. */
async function resolveReference(sql: Sql, projectId: string, reference: string): Promise<string | null> {
  if (isId(reference)) return reference
  const type = aliases.find(name => reference.startsWith(`${name}:`))
  if (!type || reference.includes('\0')) return null
  const sent = reference.slice(type.length + 1)
  const value = type === 'email' ? await storedEmailSpelling(sql, projectId, sent) : sent
  return findContactByIdentity(sql, projectId, { type, value })
}

/** With `isItself`, the id of a merged contact returns what is left of that contact. */
export async function getContact(
  sql: Sql,
  projectId: string,
  reference: string,
  isItself = false,
): Promise<Contact> {
  const id = await resolveReference(sql, projectId, reference)
  const row = id && (await findContact(sql, projectId, id, isItself))
  if (!row) throw new ApiError('CONTACT_NOT_FOUND')
  return toContact(row)
}

/** Runs a change that returns the id of a contact, and returns that contact. */
export const changeAndGetContact = (
  store: DbOrTx,
  projectId: string,
  change: (tx: Tx) => Promise<string>,
): Promise<Contact> => transactAndRead(store, projectId, change, (tx, id) => getContact(tx, projectId, id))

const hasIdentity = (sql: Sql, projectId: string, { type, value }: Identity): Fragment =>
  sql`c.id in (select contact_id from contact_identities
    where project_id = ${projectId} and type = ${type} and value = ${value})`

/** The query for contacts with all words of a text. Each word may be the beginning of one of theirs. */
export async function parseContactSearch(sql: Sql, projectId: string, q: string): Promise<Words> {
  const asked = readPlainPieces(q).map(({ text }) => ({ text, isPhrase: false }))
  const question = printQuestion(await ask(sql, projectId, asked, { beginnings: 'all' }))
  const old = sql`plainto_tsquery('simple', translate(${q}, '@.-+_:/', ' '))`
  return askBoth(sql, projectId, ['contacts'], question, old)
}

/** Selects the ids of contacts with this e-mail address or, if it is not an address, that `q` finds. */
export async function contactsMatching(
  sql: Sql,
  projectId: string,
  text: string,
): Promise<{ contacts: Fragment }> {
  const email = isEmail(text) ? await storedEmailSpelling(sql, projectId, text) : null
  const condition =
    email === null
      ? sql`c.search @@ ${(await parseContactSearch(sql, projectId, text)).words}`
      : hasIdentity(sql, projectId, { type: 'email', value: email })
  return {
    contacts: sql`select c.id from contacts c where c.project_id = ${projectId} and ${condition}`,
  }
}

/** Whether it is the same phone number, however its digits are grouped. */
const hasPhone = (sql: Sql, phone: string): Fragment => {
  const digits = phone.replaceAll(/[^0-9]/g, '')
  return sql`(c.phone = ${phone} or c.search @@ ${digits && `'~${digits}'`}::text::tsquery
    and regexp_replace(c.phone, '[^0-9]', '', 'g') = ${digits})`
}

function conditions(sql: Sql, projectId: string, query: ContactQuery, asked: Words | null): Fragment {
  return allOf(sql, [
    sql`c.project_id = ${projectId}`,
    ...(query.include_merged ? [] : [sql`c.merged_into_id is null`]),
    ...conditionIf(query.email, value => hasIdentity(sql, projectId, { type: 'email', value })),
    ...conditionIf(query.telegram_id, value =>
      hasIdentity(sql, projectId, { type: 'telegram', value: String(value) }),
    ),
    ...conditionIf(query.external_id, value => hasIdentity(sql, projectId, { type: 'external', value })),
    ...conditionIf(query.phone, value => hasPhone(sql, value)),
    ...conditionIf(
      query.organization_id,
      sent => sql`c.organization_id = any(${[sent].filter(isId)}::uuid[])`,
    ),
    ...conditionIf(query.is_blocked, on => (on ? sql`c.blocked_at is not null` : sql`c.blocked_at is null`)),
    ...conditionIf(query.tag, sent => sql`c.tags && ${sent}::text[]`),
    ...hasFields(sql, sql`c.custom_fields`, query.custom_fields ?? {}),
    ...(asked ? [sql`c.search @@ ${asked.words}`] : []),
    ...timeRange(sql, sql`c.created_at`, query.created_after, query.created_before),
    ...timeRange(sql, sql`c.updated_at`, query.updated_after, query.updated_before),
  ])
}

/** Whether the query is by an identity, so that one plan is best for all values. */
const isSettled = ({ email, telegram_id, external_id, ...others }: ContactQuery): boolean => {
  const { sort, page, page_size, cursor, count, ...filters } = others
  const identities = [email, telegram_id, external_id].filter(sent => sent !== undefined)
  return identities.length === 1 && Object.keys(filters).length === 0 && isFirstPage(others)
}

const spell = async (sql: Sql, projectId: string, query: ContactQuery): Promise<ContactQuery> => ({
  ...query,
  ...(query.email && { email: await storedEmailSpelling(sql, projectId, query.email) }),
  ...(query.tag && { tag: await listTagSpellings(sql, projectId, query.tag) }),
})

export async function searchContacts(
  sql: Sql,
  projectId: string,
  asked: ContactQuery,
): Promise<Listed<Contact>> {
  const query = await spell(sql, projectId, asked)
  const words = query.q === undefined ? null : await parseContactSearch(sql, projectId, query.q)
  const where = conditions(sql, projectId, query, words)
  const settled = isSettled(query)
  const sort = query.sort ?? '-created_at'
  const name = sort.replace('-', '')
  const column = name === 'created_at' ? sql`c.created_at` : sql`c.updated_at`
  return listPage(
    {
      sql,
      sort: { name, isDescending: sort.startsWith('-'), column, id: sql`c.id` },
      isSettled: settled,
      find: (condition, ordering) =>
        findContactIds(sql, sql`${where} and ${condition}`, column, ordering, settled),
      load: async ids => (await listContacts(sql, projectId, ids)).map(toContact),
      count: limit => countContacts(sql, where, limit),
    },
    query,
  )
}
