import { anyId, type Sql } from '../core/db/db.ts'
import type { DeletedMessage } from './ticket-queries.ts'

/** Statements that delete a contact, and what the project knows about the person elsewhere. */

/** What a person is known by. */
export interface PersonValues {
  /** In lower case. */
  emails: string[]
  /** Addresses, numbers and names of accounts, without the full name. */
  identifiers: string[]
  names: string[]
}

interface PersonRow {
  full_name: string | null
  email: string | null
  phone: string | null
  external_id: string | null
  telegram_id: string | null
  telegram_username: string | null
  identities: { type: string; value: string }[]
}

const isPresent = (value: string | null): value is string => value !== null && value !== ''

const listUnique = (values: (string | null)[]): string[] => [...new Set(values.filter(isPresent))]

export async function findPersonValues(
  sql: Sql,
  projectId: string,
  contactIds: string[],
): Promise<PersonValues> {
  const rows = await sql<PersonRow[]>`
    select c.full_name, c.email, c.phone, c.external_id, c.telegram_id::text as telegram_id, c.telegram_username,
      (select coalesce(jsonb_agg(jsonb_build_object('type', i.type, 'value', i.value)), '[]') from contact_identities i
        where i.project_id = ${projectId} and i.contact_id = c.id) as identities
    from contacts c where c.project_id = ${projectId} and c.id = ${anyId(sql, contactIds)}`
  const identities = rows.flatMap(row => row.identities)
  const ofEmail = identities.filter(({ type }) => type === 'email').map(({ value }) => value)
  const emails = listUnique([...rows.map(({ email }) => email), ...ofEmail]).map(email => email.toLowerCase())
  const accounts = rows.flatMap(row => [row.phone, row.external_id, row.telegram_id, row.telegram_username])
  return {
    emails,
    identifiers: listUnique([...emails, ...accounts, ...identities.map(({ value }) => value)]),
    names: listUnique(rows.map(row => row.full_name)),
  }
}

export interface WrittenElsewhere extends DeletedMessage {
  ticket_id: string
}

/** The last id of the next page of the project's messages; null if there are none. */
export async function findLastMessageId(
  sql: Sql,
  projectId: string,
  after: string,
  limit: number,
): Promise<string | null> {
  const [row] = await sql<{ id: string | null }[]>`
    select (array_agg(id order by id desc))[1] as id from (
      select id from messages where project_id = ${projectId} and id > ${after} order by id limit ${limit}) page`
  return row!.id
}

/** Messages that the contacts have written in tickets of other contacts. */
export const listWrittenElsewhere = (
  sql: Sql,
  projectId: string,
  [after, last]: readonly [string, string],
  contactIds: string[],
) => sql<WrittenElsewhere[]>`
  select id, ticket_id, content, content_format from messages
  where project_id = ${projectId} and id > ${after} and id <= ${last} and sender_type = 'contact'
    and sender_id = ${anyId(sql, contactIds)}`

/** Stands for a deleted address where an address is needed. */
const deletedAddress = 'deleted@deleted.invalid'

const escaped = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, String.raw`\$&`)

/** Removes names and then addresses, by which the names are found, from the emails of other contacts' tickets. */
export async function updateEmailsElsewhere(
  sql: Sql,
  projectId: string,
  [after, last]: readonly [string, string],
  { emails, names }: PersonValues,
): Promise<void> {
  const ofNames = names.map(name => [
    `"(from_name|name)": ${escaped(JSON.stringify(name))}`,
    String.raw`"\1": null`,
  ])
  for (const email of emails) {
    const isAbout = `%${email.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
    for (const [pattern, replacement] of [
      ...ofNames,
      [escaped(JSON.stringify(email).slice(1, -1)), deletedAddress],
    ])
      await sql`
        update messages set email = regexp_replace(email::text, ${pattern!}, ${replacement!}, 'gi')::jsonb
        where project_id = ${projectId} and id > ${after} and id <= ${last} and email::text ilike ${isAbout}
          and email::text ~* ${pattern!}`
    await sql`
      update mail_details set headers = '[]', quoted_text = '', quoted_html = null
      where project_id = ${projectId} and message_id > ${after} and message_id <= ${last}
        and (headers::text ilike ${isAbout} or quoted_text ilike ${isAbout})`
  }
}

/** Emails from the person that became no message, such as rejected ones. */
export async function deleteMailsFrom(sql: Sql, projectId: string, emails: string[]): Promise<number> {
  const { count } = await sql`
    delete from incoming_mails
    where project_id = ${projectId} and lower(sender) collate "C" = any(${emails}::text[]) and message_id is null`
  return count
}

export const deleteParticipants = (sql: Sql, projectId: string, emails: string[]) => sql`
  delete from ticket_participants where project_id = ${projectId} and lower(address) = any(${emails}::text[])`

export const deleteRecipientsWith = (sql: Sql, projectId: string, emails: string[]) => sql`
  delete from mail_recipients where project_id = ${projectId} and address = any(${emails}::text[])`

export const deleteRulesAbout = (sql: Sql, projectId: string, emails: string[]) => sql`
  delete from sender_rules where project_id = ${projectId} and lower(pattern) = any(${emails}::text[])`

export const deleteImageSenders = (sql: Sql, projectId: string, emails: string[]) => sql`
  delete from image_senders where project_id = ${projectId} and lower(address) = any(${emails}::text[])`

export const deleteAutomaticEmails = (sql: Sql, projectId: string, emails: string[]) => sql`
  delete from automatic_emails where project_id = ${projectId} and lower(address) = any(${emails}::text[])`

/** Files that visitors have uploaded and not sent. */
export async function deleteVisitorMedia(
  sql: Sql,
  projectId: string,
  contactIds: string[],
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    delete from media where project_id = ${projectId} and message_id is null and id in (
      select f.media_id from visitor_files f where f.project_id = ${projectId} and f.visitor_id in (
        select v.id from visitors v where v.project_id = ${projectId} and v.contact_id = ${anyId(sql, contactIds)}))
    returning id`
  return rows.map(({ id }) => id)
}

export const deleteTelegramChats = (sql: Sql, projectId: string, contactIds: string[]) => sql`
  delete from telegram_chats where project_id = ${projectId} and contact_id = ${anyId(sql, contactIds)}`

export const hasTicketsOf = async (sql: Sql, projectId: string, contactIds: string[]): Promise<boolean> =>
  (
    await sql`
    select from tickets where project_id = ${projectId} and contact_id = ${anyId(sql, contactIds)} limit 1`
  ).length > 0

export interface DeletedContact {
  full_name: string | null
  custom_fields: Record<string, unknown>
}

export const listContactTexts = (sql: Sql, projectId: string, contactIds: string[]) => sql<DeletedContact[]>`
  select full_name, custom_fields from contacts where project_id = ${projectId} and id = ${anyId(sql, contactIds)}`
