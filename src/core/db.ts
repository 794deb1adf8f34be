import type postgresTypes from 'postgres'
import { postgres } from './driver.ts'
import { fromDatabase } from './time.ts'

/** Where the database is: a URL, or the parts of an embedded server's socket. */
export interface Target {
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

/** A URL names a socket as libpq's do, by `?host=/folder&port=5433`; the driver wants it apart. */
function splitUrl(text: string): Target {
  const url = new URL(text)
  const host = url.searchParams.get('host')
  const port = url.searchParams.get('port')
  for (const name of ['host', 'port']) url.searchParams.delete(name)
  return { url: url.href, ...(host && { host }), ...(port && { port: Number(port) }) }
}

/** Opens a pool. Statements are bounded: a stuck one ends with an error after 30 s, an idle transaction after 5 s. */
export function connect(target: Target, options: { max: number }): Db {
  const { url, ...parts } = target.url ? splitUrl(target.url) : target
  const settings = {
    ...parts,
    max: options.max,
    types,
    onnotice: () => {},
    connect_timeout: 10,
    // Seconds: a database that comes back is used again at once.
    backoff: (tries: number) => Math.min(2 ** tries / 100, 1),
    connection: {
      application_name: 'deskbell',
      TimeZone: 'UTC',
      statement_timeout: 30_000,
      idle_in_transaction_session_timeout: 5_000,
    },
  }
  const pool = url ? postgres(url, settings as never) : postgres(settings as never)
  return pool as unknown as Db
}

/**
 * Has a statement planned with its values each time, and forgotten: for lists, whose best index depends on the values,
 * and which have more forms than a connection should keep prepared.
 */
export function planned<T extends object>(query: T): T {
  Object.assign((query as unknown as { options: object }).options, { prepare: false })
  return query
}

export const isDeadlock = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && error.code === '40P01'
