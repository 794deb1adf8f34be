import type { Fault } from '../channels/email/mailboxes/fault.ts'
import type { Db } from '../core/db/db.ts'

/** Queries of the database's catalog and of the whole installation. */

export interface SchemaPart {
  kind: 'table' | 'index' | 'constraint' | 'trigger'
  name: string
  /** An index whose build was interrupted, or a disabled trigger. */
  is_off: boolean
}

export const listSchemaParts = (db: Db) => db<SchemaPart[]>`
  select 'table' as kind, relname::text as name, false as is_off from pg_class
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
  union all
  select 'index', x.relname::text, not (i.indisvalid and i.indisready) from pg_index i
    join pg_class x on x.oid = i.indexrelid
  where x.relnamespace = 'public'::regnamespace
  union all
  select 'constraint', conname::text, not convalidated from pg_constraint
  where connamespace = 'public'::regnamespace
  union all
  select 'trigger', t.tgname::text, t.tgenabled = 'D' from pg_trigger t
    join pg_class c on c.oid = t.tgrelid
  where c.relnamespace = 'public'::regnamespace and not t.tgisinternal`

export const isReadOnly = async (db: Db): Promise<boolean> => {
  const [row] = await db<{ is_on: boolean }[]>`select current_setting('transaction_read_only')::bool as is_on`
  return row!.is_on
}

export const isReplica = async (db: Db): Promise<boolean> => {
  const [row] = await db<{ role: string }[]>`select current_setting('session_replication_role') as role`
  return row!.role !== 'origin'
}

/** Postgres hides state, times and statement of other roles' sessions, unless the role has pg_read_all_stats. */
export interface SnapshotHolder {
  pid: number
  name: string
  state: string
  /** Seconds since its transaction began; null if hidden. */
  seconds: number | null
  query: string
  /** The number of sessions that wait for it. */
  waiting: number
  /** A table that it has locked against writes, with the id of the transaction. */
  locked: string | null
  transaction: string | null
}

/** Sessions that have blocked others or locked a table against writes for over 3 seconds, or for a hidden time. */
export const listSnapshotHolders = (db: Db) => db<SnapshotHolder[]>`
  with blocked as (
    select unnest(pg_blocking_pids(l.pid)) as pid from pg_locks l join pg_stat_activity a on a.pid = l.pid
    where not l.granted and a.datname = current_database()
      and l.waitstart < clock_timestamp() - interval '3 seconds'),
  locks as (
    select l.pid, min(c.relname)::text as locked, min(l.virtualtransaction) as transaction from pg_locks l
      join pg_class c on c.oid = l.relation and c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    where l.granted and l.database = (select oid from pg_database where datname = current_database())
      and l.mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
    group by l.pid)
  select a.pid, coalesce(nullif(a.application_name, ''), a.usename::text, a.backend_type, 'unknown') as name,
    coalesce(a.state, 'unknown') as state, s.seconds,
    left(regexp_replace(a.query, '\\s+', ' ', 'g'), 80) as query,
    (select count(*)::int from blocked b where b.pid = a.pid) as waiting, l.locked, l.transaction
  from pg_stat_activity a left join locks l on l.pid = a.pid,
    lateral (select extract(epoch from clock_timestamp() - coalesce(a.xact_start, a.query_start))::float8 as seconds) s
  where a.pid <> pg_backend_pid() and a.datname = current_database()
    and (a.pid in (select pid from blocked) or l.locked is not null)
    and coalesce(s.seconds > 3, true)
  order by waiting desc, seconds desc nulls last`

/** The number of other roles' sessions whose activity is hidden from this role, and the role's name. */
export const countHiddenSessions = async (db: Db): Promise<{ role: string; sessions: number }> => {
  const [row] = await db<{ role: string; sessions: number }[]>`
    select current_user::text as role, count(*)::int as sessions from pg_stat_activity
    where datname = current_database() and usesysid is not null and backend_type is null`
  return row!
}

/** The oldest snapshot prevents vacuum from removing deleted rows. */
export const findOldestSnapshot = async (
  db: Db,
): Promise<{ pid: number; state: string; seconds: number } | null> => {
  const [row] = await db<{ pid: number; state: string; seconds: number }[]>`
    select pid, coalesce(state, 'unknown') as state,
      extract(epoch from clock_timestamp() - xact_start)::float8 as seconds
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
      and backend_type = 'client backend'
    order by xact_start limit 1`
  return row ?? null
}

export interface DatabaseSizes {
  bytes: number
  /** Sessions with a database and a role. The type of other roles' sessions may be hidden. */
  connections: number
  max_connections: number
  /** The age of the oldest transaction id. Postgres stops accepting writes before ids wrap around. */
  ages: number
}

export const getSizes = async (db: Db): Promise<DatabaseSizes> => {
  const [row] = await db<DatabaseSizes[]>`
    select pg_database_size(current_database()) as bytes, age(datfrozenxid)::int as ages,
      (select count(*)::int from pg_stat_activity
        where coalesce(backend_type = 'client backend', datid is not null and usesysid is not null)) as connections,
      current_setting('max_connections')::int as max_connections
    from pg_database where datname = current_database()`
  return row!
}

/** Days since the installation was created. */
export const getInstallationAge = async (db: Db): Promise<number> => {
  const [row] = await db<{ days: number }[]>`
    select (extract(epoch from now() - created_at) / 86400)::float8 as days from installation`
  return row!.days
}

export interface FailingWebhook {
  url: string
  project: string
  is_active: boolean
  consecutive_failures: number
}

export const listFailingWebhooks = (db: Db, failures: number) => db<FailingWebhook[]>`
  select w.url, p.name as project, w.is_active, w.consecutive_failures
  from webhooks w join projects p on p.id = w.project_id
  where w.project_id = p.id and w.deleted_at is null and w.consecutive_failures >= ${failures}
  order by w.consecutive_failures desc, w.id limit 20`

export interface AccessCounts {
  projects: number
  /** Accounts that can sign in, and valid links that create one. */
  logins: number
  links: number
  keys: number
}

export const countAccess = async (db: Db): Promise<AccessCounts> => {
  const [row] = await db<AccessCounts[]>`
    select (select count(*)::int from projects) as projects, (select count(*)::int from user_logins) as logins,
      (select count(*)::int from links where project_id is not null and used_at is null and expires_at > now()) as links,
      (select count(*)::int from api_keys where project_id is not null and disabled_at is null) as keys`
  return row!
}

/** Postgres settings that are off although a crash would then lose acknowledged writes. */
export const listUnsafe = (db: Db) => db<{ name: string; setting: string }[]>`
  select name, setting from pg_settings
  where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off'`

export interface MailboxReport {
  address: string
  project: string
  state: string
  error: Fault | null
  send_error: Fault | null
  /** How long it has been due without being fetched, in seconds; null or negative if it is being fetched or not due. */
  idle_seconds: number | null
  /** How long ago everything in it was last known to be fetched, in seconds; null if it is not being fetched. */
  behind_seconds: number | null
}

export const listMailboxStates = (db: Db) => db<MailboxReport[]>`
  select m.address, p.name as project, m.state, m.last_error as error,
    case when m.sending <> 'none' then m.send_error end as send_error,
    case when m.incoming = 'imap' and m.state = 'active'
      then extract(epoch from now() - greatest(m.created_at, m.lease_until, m.backoff_until))::float8 end as idle_seconds,
    case when m.incoming = 'imap' and m.state = 'active' and m.lease_until > now()
      then extract(epoch from now() - greatest(m.created_at, m.last_ok_at))::float8 end as behind_seconds
  from mailboxes m join projects p on p.id = m.project_id and p.deleting_since is null
  where m.project_id = p.id and (m.incoming <> 'none' or m.sending <> 'none') order by m.created_at, m.id`

/** Mailboxes with this address, including as an alias. */
export const listMailboxesAt = (db: Db, addresses: string[]) => db<{ address: string; project: string }[]>`
  select a.address, p.name as project from mailbox_addresses a
    join projects p on p.id = a.project_id and p.deleting_since is null
  where a.address = any(${addresses}::text[])`
