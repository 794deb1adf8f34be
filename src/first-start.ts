import type { Db } from './core/db.ts'
import { createKey } from './keys/keys.ts'
import { createProject, listProjects } from './projects/projects.ts'

/** On a database without projects, makes one with a key; null otherwise. */
export async function createFirstProject(db: Db): Promise<{ name: string; key: string } | null> {
  const name = 'My project'
  return db.begin(async tx => {
    // Of several processes that start at once, one makes the project.
    await tx`lock table schema_migrations in exclusive mode`
    if ((await listProjects(tx)).length > 0) return null
    const { id } = await createProject(tx, { name })
    const { key } = await createKey(tx, id, 'First key')
    return { name, key }
  })
}

export const describeStart = (url: string, first: { name: string; key: string } | null): string =>
  first ? `${welcome(url, first)}\n` : `Deskbell is ready at ${url}\n`

const welcome = (
  url: string,
  { name, key }: { name: string; key: string },
): string => `Deskbell is ready at ${url}

API key of the project "${name}", shown only this once:

  ${key}

Create a ticket with it:

  curl -X POST ${url}/api/v1/tickets \\
    -H 'Authorization: Bearer ${key}' \\
    -H 'Content-Type: application/json' \\
    -d '{"contact":{"email":"ann@example.com","full_name":"Ann Lee"},"subject":"Cannot pay","content":"My card is refused."}'
`
