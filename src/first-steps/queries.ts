import type { Fragment, Sql } from '../core/db/db.ts'
import type { FirstStep } from '../projects/projects.ts'
import type { FirstStepList } from './schema.ts'

export async function findRecordedSteps(
  sql: Sql,
  projectId: string,
): Promise<{ first_steps: FirstStep[]; has_first_steps: boolean }> {
  const [row] = await sql<{ first_steps: FirstStep[]; has_first_steps: boolean }[]>`
    select first_steps, has_first_steps from projects where id = ${projectId}`
  return row!
}

/** Whether a step is done, from the project's data. That the chat is seen on a website is recorded when its button is loaded there. */
const conditions: Record<FirstStep, (sql: Sql, projectId: string) => Fragment> = {
  channel: (sql, projectId) => sql`
    exists (select from mailboxes where project_id = ${projectId} and state = 'active' and last_error is null)
    or exists (select from telegram_bots where project_id = ${projectId} and state = 'active')
    or exists (select from custom_channels where project_id = ${projectId} and state = 'active')`,
  widget: sql => sql`false`,
  article: (sql, projectId) => sql`
    exists (select from article_translations where project_id = ${projectId} and published_at is not null)`,
  colleague: (sql, projectId) => sql`
    (select count(*) from (select from operators where project_id = ${projectId} and removed_at is null limit 2) o) > 1`,
  hours: (sql, projectId) => sql`
    exists (select from widgets where project_id = ${projectId} and jsonb_typeof(settings -> 'hours') = 'object')
    or exists (select from mailboxes where project_id = ${projectId} and sends_away)`,
  // The index of the latest messages bounds the search in a project whose tickets nobody has answered.
  ticket: (sql, projectId) => sql`
    exists (
      select from (
        select first_reply_at from ticket_activity where project_id = ${projectId}
        order by last_message_at desc nulls last, ticket_id desc limit 1000) a
      where a.first_reply_at is not null)`,
}

/** Those of the given steps that are done. */
export async function listDoneSteps(sql: Sql, projectId: string, asked: FirstStep[]): Promise<FirstStep[]> {
  const rows = asked.map(name => sql`select ${name}::text as name where ${conditions[name](sql, projectId)}`)
  const all = rows.reduce((some, row) => sql`${some} union all ${row}`)
  return (await sql<{ name: FirstStep }[]>`${all}`).map(({ name }) => name)
}

/** The address of the contact of test tickets, as the dashboard sends it. Mail to it can never arrive. */
const testContact = 'test@deskbell.example'

export async function findTestTicket(sql: Sql, projectId: string): Promise<FirstStepList['test_ticket']> {
  const [row] = await sql<NonNullable<FirstStepList['test_ticket']>[]>`
    select t.id, t.number::text as short_id, t.contact_id, a.first_reply_at is not null as is_answered
    from contact_identities i
    join tickets t on t.project_id = ${projectId} and t.contact_id = i.contact_id
    join ticket_activity a on a.project_id = ${projectId} and a.ticket_id = t.id
    where i.project_id = ${projectId} and i.type = 'email' and i.value = ${testContact}
    order by t.created_at desc limit 1`
  return row ?? null
}
