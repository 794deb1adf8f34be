import postgres, {
  type Db,
  type Fragment,
  type PoolLoad,
  type Sql,
  type SqlValue,
} from '../../../vendor/postgres/src/index.js'
import { readDatabaseUrl } from '../config/database-url.ts'
import { fromDatabase } from '../time.ts'

/** Where the database is: a URL, or the parts of an embedded server's socket. */
export interface DatabaseTarget {
  url?: string
  host?: string
  port?: number
  user?: string
  database?: string
}

export type { Db, Fragment, Sql, SqlValue }

const types = {
  bigint: { to: 20, from: [20], serialize: String, parse: Number },
  date: { to: 1184, from: [1082, 1114, 1184], serialize: String, parse: fromDatabase },
}

/** The options for the driver, which does not accept a socket together with other hosts. */
function readTarget({ url, ...parts }: DatabaseTarget) {
  if (!url) return { login: null, ...parts, target_session_attrs: 'primary' }
  const { url: login, hosts, ports, sessions } = readDatabaseUrl(url)
  const [host] = hosts
  const place = host!.startsWith('/') ? { host, port: ports[0] } : { host: hosts, port: ports }
  return { login, ...place, target_session_attrs: sessions }
}

export interface PoolOptions {
  /** The maximum number of connections. */
  max: number
  /** Milliseconds after which a statement is cancelled; 0 means never. */
  statementTimeout?: number
  /** Seconds after which an idle connection is closed. */
  idleTimeout?: number
}

/** Milliseconds. A writer of a project blocks its other writers, so this bounds how long: at most 10 s, or 5 s if it is idle. */
const statementTimeoutMs = 9_000
const idleTimeoutMs = 4_000

/** Opens a pool. Idle transactions end after 4 s. A connection that stops responding is closed soon after the statement timeout. */
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
    // Each connection is a Postgres process of 3 MB, and many are needed only at busy times.
    idle_timeout: idleTimeout,
    keep_alive: 10,
    // Seconds. Short, so that the pool uses the database again soon after it has come back.
    backoff: (tries: number) => Math.min(2 ** tries / 100, 1),
    connection: {
      application_name: 'deskbell',
      TimeZone: 'UTC',
      // As a string, because the driver omits the number 0.
      statement_timeout: String(statementTimeout),
      idle_in_transaction_session_timeout: idleTimeoutMs,
      // A parallel worker takes 10 ms to start, and processor time from other requests.
      max_parallel_workers_per_gather: '0',
    },
  }
  return login ? postgres(login, settings) : postgres(settings)
}

/** Another pool on the same database. */
export function connectApart(db: Db, { max, statementTimeout = statementTimeoutMs }: PoolOptions): Db {
  const { options } = db
  const connection = { ...options.connection, statement_timeout: String(statementTimeout) }
  // The driver accepts options that it has parsed before; `shared` holds the state of one pool.
  const shared = { retries: 0, typeArrayMap: {} }
  return postgres({ ...options, max, connection, shared })
}

/** How many connections a pool has open, how many are in use, and how many statements wait for one. */
export const loadOf = (db: Db): PoolLoad => db.load()

/** Runs work without a statement timeout, over a separate connection. */
export async function withoutTimeout<T>(db: Db, work: (own: Db) => Promise<T>): Promise<T> {
  const own = connectApart(db, { max: 1, statementTimeout: 0 })
  try {
    return await work(own)
  } finally {
    await own.end()
  }
}

/**
 * Plans a statement with its values each time, and does not keep it prepared. For lists, whose best index depends on the values
 * and which have more variants than a connection should keep.
 */
export function unprepared<T extends Fragment>(query: T): T {
  query.options.prepare = false
  return query
}

/** Hides a value of a prepared statement in a sub-select, for the same reason as `anyId`. */
export const hiddenValue = (sql: Sql, value: string, type: 'uuid' | 'text'): Fragment =>
  sql`(select ${value}::${sql.unsafe(type)})`

/** Keeps the statement prepared if the same index is best for all values. */
export const preparedIf = <T extends Fragment>(isSettled: boolean, query: T): T =>
  isSettled ? query : unprepared(query)

/**
 * `id = ${anyId(sql, ids)}`, for one of these ids in a prepared statement. In a sub-select, the planner does not see how long an
 * array is, and keeps its plan. Otherwise a custom plan for one or two elements looks cheaper each time, and can take longer to
 * make than to run. An `unprepared` statement should see its values instead.
 */
export const anyId = (sql: Sql, ids: string[]): Fragment => sql`any((select ${ids}::uuid[])::uuid[])`

/**
 * The beginning of an `update` that also increases the version of the row; there may be no fields. A `set` never names a key column, not even with
 * the value that it has: Postgres would lock the row as if it were deleted, and wait for every transaction that has written a row that refers to it.
 */
export const updateVersioned = (sql: Sql, table: string, fields: object): Fragment =>
  Object.keys(fields).length
    ? sql`update ${sql(table)} set ${sql(fields)}, version = version + 1`
    : sql`update ${sql(table)} set version = version + 1`

/** Whether statements run outside of a transaction. */
export const isPool = (sql: Sql): sql is Db => 'begin' in sql

/** Whether a statement took longer than its pool allows. */
export const isTimeout = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && error.code === '57014'

/** Whether a unique index already has such a row. */
export const isDuplicate = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && error.code === '23505'

/** Whether a value is larger than Postgres accepts, such as a word or an index entry. */
export const isRefusedValue = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && error.code === '54000'

export const isDeadlock = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && error.code === '40P01'
