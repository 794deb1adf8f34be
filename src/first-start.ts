import { rmSync, writeFileSync } from 'node:fs'
import { isIPv6 } from 'node:net'
import { join } from 'node:path'
import { openProject } from './billing/billing.ts'
import type { Config } from './core/config.ts'
import type { Db } from './core/db.ts'
import { codeOf, SetupError } from './core/setup-error.ts'
import { createKey } from './keys/keys.ts'
import { listProjects } from './projects/projects.ts'
import { addressOf, createLink } from './users/users.ts'

interface First {
  name: string
  key: string
  /** Of the link that makes the first owner. */
  token: string
}

type Place = Pick<Config, 'publicUrl' | 'dataDir'>

/**
 * On a database without projects, makes one with a key and a link to set it up; null otherwise. Returns what to print:
 * both, on a terminal; elsewhere, where what is printed becomes a log that others read, the path of the file with both.
 */
export async function createFirstProject(
  db: Db,
  place: Place,
  isTerminal = process.stdout.isTTY,
): Promise<string | null> {
  const name = 'My project'
  return db.begin(async tx => {
    // Of several processes that start at once, one makes the project.
    await tx`lock table schema_migrations in exclusive mode`
    if ((await listProjects(tx)).length > 0) return null
    const { id } = await openProject(tx, { name })
    const { key } = await createKey(tx, id, 'First key')
    const { token } = await createLink(tx, { purpose: 'set_up', project_id: id })
    const words = welcome(place.publicUrl, { name, key, token })
    return isTerminal ? words : pointTo(keepFirstAccess(place, words))
  })
}

function keepFirstAccess({ dataDir }: Place, words: string): string {
  const path = join(dataDir, 'first-access.txt')
  try {
    rmSync(path, { force: true })
    writeFileSync(path, words.trimStart(), { mode: 0o600, flag: 'wx', flush: true })
    return path
  } catch (error) {
    throw new SetupError(
      `DATA_DIR: cannot write ${path} (${codeOf(error)}), which gets the link for the owner and the first API key; make the folder writable, or start Deskbell on a terminal`,
    )
  }
}

/** The oldest project while not one API key works, so that nobody could ask anything; null otherwise. */
async function findKeylessProject(db: Db): Promise<string | null> {
  const [row] = await db<{ id: string }[]>`
    select id from projects where not exists (select from api_keys where disabled_at is null)
    order by created_at, id limit 1`
  return row?.id ?? null
}

/** Whether nobody has an account that can sign in, and so open the dashboard. */
async function isUnmanned(db: Db): Promise<boolean> {
  const [row] = await db<{ is_empty: boolean }[]>`select not exists (select from user_logins) as is_empty`
  return row!.is_empty
}

type Start = Pick<Config, 'publicUrl' | 'host' | 'port' | 'roles'>

/** What a process says of itself. What a new installation lacks is told by those that serve it. */
export async function describeStart(db: Db, start: Start, first: string | null): Promise<string> {
  if (!start.roles.has('http')) return describeWorker(start)
  const keyless = await findKeylessProject(db)
  const lacksAccount = first === null && (await isUnmanned(db))
  return [
    describeFront(start),
    ...(first ? [`${first}\n`] : []),
    ...(keyless ? [adviseKey(keyless)] : []),
    ...(lacksAccount ? [adviseAccount] : []),
  ].join('')
}

const describeFront = ({ publicUrl, host, port }: Start): string =>
  `Deskbell is ready at ${publicUrl}\n${
    publicUrl === `http://localhost:${port}` ? '' : `It listens on port ${port} of ${host}.\n`
  }`

/** How somebody on this machine reaches it: who listens at every address does so at the nearest too. */
const nameOf = (host: string): string =>
  ['0.0.0.0', '::'].includes(host) ? 'localhost' : isIPv6(host) ? `[${host}]` : host

const describeWorker = ({ host, port, roles }: Start): string =>
  `Deskbell is ready at http://${nameOf(host)}:${port}\n` +
  `Its ROLES are ${[...roles].join(' and ')}: there are only /healthz, /readyz and /metrics.\n`

const adviseKey = (project: string): string =>
  `No API key works yet; make one: bin/deskbell key create --project ${project} --name NAME\n`

const adviseAccount =
  'Nobody can sign in yet. Create a link: bin/deskbell operator link --email YOUR-ADDRESS\n'

const pointTo = (path: string): string => `
The link to make your account and the first API key are in this file. Delete it when you have used both:

  ${path}
`

const welcome = (url: string, { name, key, token }: First): string => `
Make your account by this link, which works once, within 24 hours:

  ${addressOf(url, token)}

API key of the project "${name}", shown only this once:

  ${key}

Create a ticket with it:

  curl -X POST ${url}/api/v1/tickets \\
    -H 'Authorization: Bearer ${key}' \\
    -H 'Content-Type: application/json' \\
    -d '{"contact":{"email":"ann@example.com","full_name":"Ann Lee"},"subject":"Cannot pay","content":"My card is refused."}'

Read about everything else, and try it: ${url}/docs
`
