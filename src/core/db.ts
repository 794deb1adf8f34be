import type postgresTypes from 'postgres'
import { readDatabaseUrl } from './database-url.ts'
import { postgres } from './driver.ts'
import { fromDatabase } from './time.ts'

/** Where the database is: a URL, or the parts of an embedded server's socket. */
export interface DatabaseTarget {
  url?: string
  host?: string
  port?: number
  user?: string
  database?: string
}

type Parsed = { bigint: number }

/** The pool. Rules take a `Tx` where they write, so the pool cannot be passed there. */
export type Db = postgresTypes.Sql<Parsed>

/** Anything that runs a statement: the pool or an open transaction. */
export type Sql = postgresTypes.ISql<Parsed>

export type Fragment =
  | postgresTypes.PendingQuery<postgresTypes.Row[]>
  | postgresTypes.PendingQuery<postgresTypes.MaybeRow[]>

const types = {
  bigint: { to: 20, from: [20], serialize: String, parse: Number },
  date: { to: 1184, from: [1082, 1114, 1184], serialize: String, parse: fromDatabase },
}

/** For the driver. A socket stands alone, since the driver mixes none with other hosts. */
function readTarget({ url, ...parts }: DatabaseTarget) {
  if (!url) return { login: null, ...parts, target_session_attrs: 'primary' }
  const { url: login, hosts, ports, sessions } = readDatabaseUrl(url)
  const [host] = hosts
  const place = host!.startsWith('/') ? { host, port: ports[0] } : { host: hosts, port: ports }
  return { login, ...place, target_session_attrs: sessions }
}

export interface PoolOptions {
  /** Connections. */
  max: number
  /** Milliseconds after which a stuck statement ends with an error; 0 is never. */
  statementTimeout?: number
  /** Seconds after which a connection closes that nobody uses. */
  idleTimeout?: number
}

/** Milliseconds. Whoever writes into a project holds up its other writers: none for more than 10 s, 5 s where nothing is done. */
const statementTimeoutMs = 9_000
const idleTimeoutMs = 4_000

/** Opens a pool. An idle transaction ends after 4 s; a connection that says nothing is left soon after the timeout. */
export function connect(
  target: DatabaseTarget,
  { max, statementTimeout = statementTimeoutMs, idleTimeout = 30 }: PoolOptions,
): Db {
  const { login, ...parts } = readTarget(target)
  const settings = {
    ...parts,
    max,
    types,
    onnotice: () => {},
    connect_timeout: 10,
    // Each is a process of 3 MB, and after a busy moment few are needed.
    idle_timeout: idleTimeout,
    keep_alive: 10,
    // Seconds: a database that comes back is used again at once.
    backoff: (tries: number) => Math.min(2 ** tries / 100, 1),
    connection: {
      application_name: 'deskbell',
      TimeZone: 'UTC',
      // As text: the driver leaves out what is 0.
      statement_timeout: String(statementTimeout),
      idle_in_transaction_session_timeout: idleTimeoutMs,
      // A worker takes 10 ms to start, and the processor of another request.
      max_parallel_workers_per_gather: '0',
    },
  }
  const pool = login ? postgres(login, settings as never) : postgres(settings as never)
  return pool as unknown as Db
}

/** Another pool on the same database. */
export function connectApart(db: Db, { max, statementTimeout = statementTimeoutMs }: PoolOptions): Db {
  const { options } = db
  const connection = { ...options.connection, statement_timeout: String(statementTimeout) }
  // The driver takes options that it has parsed before; `shared` counts a pool's own failures.
  const shared = { retries: 0, typeArrayMap: {} }
  return postgres({ ...options, max, connection, shared } as never) as unknown as Db
}

interface Load {
  open: number
  inUse: number
  waiting: number
}

/** How many connections a pool has open, how many of them work, and how many statements wait for one. */
export const loadOf = (db: Db): Load => (db as unknown as { load(): Load }).load()

/** Work that takes as long as it takes, over a connection of its own. */
export async function withoutTimeout<T>(db: Db, work: (own: Db) => Promise<T>): Promise<T> {
  const own = connectApart(db, { max: 1, statementTimeout: 0 })
  try {
    return await work(own)
  } finally {
    await own.end()
  }
}

/**
 * Has a statement planned with its values each time, and forgotten: for lists, whose best index depends on the values,
 * and which have more forms than a connection should keep prepared.
 */
export function unprepared<T extends object>(query: T): T {
  Object.assign((query as unknown as { options: object }).options, { prepare: false })
  return query
}

/** A value of a statement that is kept: in a sub-select, for the reason that `anyId` has. */
export const hiddenValue = (sql: Sql, value: string, type: 'uuid' | 'text'): Fragment =>
  sql`(select ${value}::${sql.unsafe(type)})` as Fragment

/** Kept where the same index is the best one for all values. */
export const preparedIf = <T extends object>(isSettled: boolean, query: T): T =>
  isSettled ? query : unprepared(query)

/**
 * `id = ${anyId(sql, ids)}`, in statements that are kept: it is one of them. In a sub-select the planner does not see how long
 * an array is, and keeps its plan: for one or two elements a plan of their own looks cheaper each time, and can take longer
 * to make than to run. What is `unprepared` should see its values.
 */
export const anyId = (sql: Sql, ids: string[]): Fragment =>
  sql`any((select ${ids as never}::uuid[])::uuid[])` as Fragment

/** A statement took longer than its pool allows. */
export const isTimeout = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && error.code === '57014'

/** A unique index has such a row already. */
export const isDuplicate = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && error.code === '23505'

/** A value is larger than Postgres takes: a word or an entry of an index, for example. */
export const isRefusedValue = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && error.code === '54000'

export const isDeadlock = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && error.code === '40P01'
