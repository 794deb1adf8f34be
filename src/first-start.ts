import { openProject } from './billing/billing.ts'
import type { Db } from './core/db.ts'
import { createKey } from './keys/keys.ts'
import { listProjects } from './projects/projects.ts'

/** On a database without projects, makes one with a key; null otherwise. */
export async function createFirstProject(db: Db): Promise<{ name: string; key: string } | null> {
  const name = 'My project'
  return db.begin(async tx => {
    // Of several processes that start at once, one makes the project.
    await tx`lock table schema_migrations in exclusive mode`
    if ((await listProjects(tx)).length > 0) return null
    const { id } = await openProject(tx, { name })
    const { key } = await createKey(tx, id, 'First key')
    return { name, key }
  })
}

/** The oldest project while not one API key works, so that nobody could ask anything; null otherwise. */
export async function findKeylessProject(db: Db): Promise<string | null> {
  const [row] = await db<{ id: string }[]>`
    select id from projects where not exists (select from api_keys where disabled_at is null)
    order by created_at, id limit 1`
  return row?.id ?? null
}

export interface Start {
  publicUrl: string
  host: string
  port: number
  first: { name: string; key: string } | null
  keyless: string | null
}

export const describeStart = ({ publicUrl, host, port, first, keyless }: Start): string =>
  [
    `Deskbell is ready at ${publicUrl}\n`,
    ...(publicUrl === `http://localhost:${port}` ? [] : [`It listens on port ${port} of ${host}.\n`]),
    ...(first ? [`${welcome(publicUrl, first)}\n`] : []),
    ...(keyless ? [adviseKey(keyless)] : []),
  ].join('')

const adviseKey = (project: string): string =>
  `No API key works yet; make one: bin/deskbell key create --project ${project} --name NAME\n`

const welcome = (url: string, { name, key }: { name: string; key: string }): string => `
API key of the project "${name}", shown only this once:

  ${key}

Create a ticket with it:

  curl -X POST ${url}/api/v1/tickets \\
    -H 'Authorization: Bearer ${key}' \\
    -H 'Content-Type: application/json' \\
    -d '{"contact":{"email":"ann@example.com","full_name":"Ann Lee"},"subject":"Cannot pay","content":"My card is refused."}'

Read about everything else, and try it: ${url}/docs
`
