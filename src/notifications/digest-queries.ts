import type { Fragment, Sql } from '../core/db/db.ts'
import type { WaitingWork } from '../core/due/due-work.ts'

/** `users u` has chosen digests; the same text as in the index users_digest. */
const isWanted = (sql: Sql): Fragment =>
  sql`u.settings -> 'notifications' ->> 'digest' in ('hourly', 'daily')`

const scheduleOf = (sql: Sql): Fragment => sql`concat_ws(' ', u.settings -> 'notifications' ->> 'digest',
  u.settings -> 'notifications' ->> 'digest_at', u.settings -> 'notifications' ->> 'digest_timezone')`

/** Also the choices for which nothing is planned yet. So a new choice takes effect with the next check for waiting work. */
export const waitingDigests: WaitingWork = sql => {
  const chosen = sql`
    from users u join operators o on o.user_id = u.id and o.removed_at is null
    left join operator_digests d on d.project_id = o.project_id and d.operator_id = o.id and d.schedule = ${scheduleOf(sql)}
    where ${isWanted(sql)}`
  return sql`
    select o.project_id, d.due_at ${chosen} and d.due_at is not null
    union all select o.project_id, now() as due_at ${chosen} and d.due_at is null`
}

export interface DueDigest {
  operator_id: string
  user_id: string
  email: string
  project: string
  color: string | null
  locale: string | null
  digest: 'hourly' | 'daily'
  /** `HH:MM` */
  at: string
  timezone: string
  schedule: string
  /** Null if none is planned. */
  planned_at: string | null
  /**
   * False if the person may not open the project, if the address belongs to a mailbox, where the email would become a ticket, or
   * if it could not be sent for two days.
   */
  may_send: boolean
}

export const listDueDigests = (sql: Sql, projectId: string) => sql<DueDigest[]>`
  select o.id as operator_id, u.id as user_id, o.email, p.name as project, p.color, p.default_locale as locale,
    u.settings -> 'notifications' ->> 'digest' as digest,
    coalesce(u.settings -> 'notifications' ->> 'digest_at', '09:00') as at,
    coalesce(u.settings -> 'notifications' ->> 'digest_timezone', 'UTC') as timezone,
    ${scheduleOf(sql)} as schedule, d.planned_at,
    p.deleting_since is null and p.suspended_at is null and (u.two_factor_enabled or not p.requires_second_factor)
      and d.planned_at > now() - interval '2 days'
      and not exists (select from mailbox_addresses a where a.project_id is not null
        and a.address in (lower(o.email), regexp_replace(lower(o.email), '\\+[^@]*@', '@'))) as may_send
  from operators o
  join users u on u.id = o.user_id
  join projects p on p.id = ${projectId}
  left join operator_digests d on d.project_id = ${projectId} and d.operator_id = o.id and d.schedule = ${scheduleOf(sql)}
  where o.project_id = ${projectId} and o.removed_at is null and ${isWanted(sql)} and (d.due_at is null or d.due_at <= now())
  order by o.id limit 20`

/** Plans a digest, also instead of an earlier one. */
export const insertDigest = (
  sql: Sql,
  projectId: string,
  { operator_id, schedule }: DueDigest,
  plannedAt: string,
) => sql`
  insert into operator_digests (project_id, operator_id, schedule, planned_at, due_at)
  values (${projectId}, ${operator_id}, ${schedule}, ${plannedAt}::timestamptz, ${plannedAt}::timestamptz)
  on conflict (project_id, operator_id) do update
    set schedule = excluded.schedule, planned_at = excluded.planned_at, due_at = excluded.due_at`

export const digestKinds = ['mine', 'mentions', 'unassigned'] as const
export type DigestKind = (typeof digestKinds)[number]

export interface DigestTicket {
  number: number
  subject: string
  contact: string | null
  waiting_since: string | null
  /** How many tickets of this kind there are. */
  total: number
}

/** The tickets of each list in an email. */
export const maxDigestTickets = 10

/** Lists what waits for an operator. As in the notifications, operators without a department take tickets of all departments. */
export function listDigestTickets(
  sql: Sql,
  projectId: string,
  operatorId: string,
  kind: DigestKind,
): Promise<DigestTicket[]> {
  const own = sql`
    select from department_operators x where x.project_id = ${projectId} and x.operator_id = ${operatorId}`
  const isWaiting = sql`t.status <> 'closed' and not t.is_spam and t.snoozed_until is null and a.waiting_since is not null`
  const conditions: Record<DigestKind, Fragment> = {
    mine: sql`t.operator_id = ${operatorId} and ${isWaiting}`,
    unassigned: sql`t.operator_id is null and ${isWaiting}
      and (t.department_id is null or exists (${own} and x.department_id = t.department_id) or not exists (${own}))`,
    mentions: sql`not t.is_spam and t.id in (
      select m.ticket_id from mentions x
      join messages m on m.project_id = ${projectId} and m.id = x.message_id
        and m.delivery_status <> 'scheduled' and m.deleted_at is null
      where x.project_id = ${projectId} and x.operator_id = ${operatorId} and x.read_at is null)`,
  }
  return sql<DigestTicket[]>`
    select t.number, t.subject, coalesce(c.full_name, c.email) as contact, a.waiting_since, count(*) over ()::int as total
    from tickets t
    join ticket_activity a on a.project_id = ${projectId} and a.ticket_id = t.id
    join contacts c on c.project_id = ${projectId} and c.id = t.contact_id
    where t.project_id = ${projectId} and ${conditions[kind]}
    order by a.waiting_since nulls last, t.id limit ${maxDigestTickets}::int`
}

/** Ends the digests of an account. */
export const updateDigestToOff = (sql: Sql, userId: string) => sql`
  update users set settings = jsonb_set(settings, '{notifications,digest}', '"off"')
  where id::text = ${userId} and settings -> 'notifications' is not null`
