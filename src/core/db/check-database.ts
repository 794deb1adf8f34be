import type { Config } from '../config/config.ts'
import { readDatabaseUrl } from '../config/database-url.ts'
import { SetupError } from '../config/setup-error.ts'
import { codeOf, errorOf } from '../thrown.ts'
import type { Db } from './db.ts'

interface Server {
  version: string
  number: number
  encoding: string
  database: string
}

/** Refuses a database that cannot be reached, is too old or does not keep UTF-8; returns its version, such as `18.4`. */
export async function checkDatabase(db: Db, { databaseUrl }: Pick<Config, 'databaseUrl'>): Promise<string> {
  const { version, number, encoding, database } = await askServer(db, databaseUrl)
  if (number < 150_000) {
    throw new SetupError(
      `DATABASE_URL: that server is PostgreSQL ${version}; Deskbell needs version 15 or newer`,
    )
  }
  if (encoding !== 'UTF8') {
    throw new SetupError(
      `DATABASE_URL: the encoding of the database "${database}" is ${encoding}; use one that was made with: create database NAME encoding 'UTF8' template template0`,
    )
  }
  return version
}

async function askServer(db: Db, url: string | null): Promise<Server> {
  try {
    const [row] = await db<Server[]>`
      select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
        pg_encoding_to_char(encoding) as encoding, datname as database
      from pg_database where datname = current_database()`
    return row!
  } catch (error) {
    if (!url) throw error
    const { message } = errorOf(error)
    const code = codeOf(error)
    throw new SetupError(
      `DATABASE_URL: cannot use the database at ${readDatabaseUrl(url).shown}: ${message || code}; ${remedies[code] ?? 'correct it, or start that server'}`,
    )
  }
}

const remedies: Record<string, string> = {
  NOT_PRIMARY: 'name the primary, or all hosts of the cluster (postgres://a,b/db)',
  '08P01': 'docs/pgbouncer.md says what PgBouncer needs',
  '28000': 'correct its user or password, or allow that role to log in',
  '28P01': 'correct its user or password',
  '3D000': "create it (create database NAME encoding 'UTF8' template template0), or correct its name",
  '42501': 'allow that role to connect to it (grant connect on database)',
}
