import type { Config } from './config.ts'
import type { Db } from './db.ts'
import { codeOf, SetupError } from './setup-error.ts'

/** Refuses a database that cannot be reached or is too old; returns its version, such as `18.4`. */
export async function checkServer(db: Db, { databaseUrl }: Pick<Config, 'databaseUrl'>): Promise<string> {
  const { version, number } = await askVersion(db, databaseUrl)
  if (number >= 150_000) return version
  throw new SetupError(
    `DATABASE_URL: that server is PostgreSQL ${version}; Deskbell needs version 15 or newer`,
  )
}

async function askVersion(db: Db, url: string | null): Promise<{ version: string; number: number }> {
  try {
    const [row] = await db<{ version: string; number: number }[]>`
      select current_setting('server_version') as version, current_setting('server_version_num')::int as number`
    return row!
  } catch (error) {
    if (!url) throw error
    const { message } = error as Error
    throw new SetupError(
      `DATABASE_URL: cannot use the database at ${withoutPassword(url)}: ${message || codeOf(error)}; correct it, or start that server`,
    )
  }
}

function withoutPassword(text: string): string {
  const { host, pathname } = new URL(text)
  return `${host}${pathname}`
}
