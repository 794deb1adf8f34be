import { rmSync, writeFileSync } from 'node:fs'
import { isIPv6 } from 'node:net'
import { join } from 'node:path'
import { createProjectOnPlan } from './billing/billing.ts'
import type { Config } from './core/config/config.ts'
import { listenerUrl } from './core/config/config-mail.ts'
import { SetupError } from './core/config/setup-error.ts'
import type { Db } from './core/db/db.ts'
import { codeOf } from './core/thrown.ts'
import { createKey } from './keys/keys.ts'
import { listProjects } from './projects/projects.ts'
import { createLink, linkUrlOf } from './users/users.ts'

interface First {
  name: string
  key: string
  /** The token of the link that creates the first owner. */
  token: string
}

type Place = Pick<Config, 'publicUrl' | 'dataDir'>

/**
 * If the database has no project, creates one with a key and a set-up link; otherwise returns null. Returns the text to print. On a
 * terminal, this is both. Elsewhere, output becomes a log that others can read, so it is the path of a file with both.
 */
export async function createFirstProject(
  db: Db,
  place: Place,
  isTerminal = process.stdout.isTTY,
): Promise<string | null> {
  const name = 'My project'
  return db.begin(async tx => {
    // If several processes start at the same time, only one creates the project.
    await tx`lock table schema_migrations in exclusive mode`
    if ((await listProjects(tx)).length > 0) return null
    const { id } = await createProjectOnPlan(tx, { name })
    const { key } = await createKey(tx, id, 'First key')
    const { token } = await createLink(tx, { purpose: 'set_up', project_id: id })
    const words = describeAccess(place.publicUrl, { name, key, token })
    return isTerminal ? words : describeFile(keepFirstAccess(place, words))
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
      `DATA_DIR: cannot write ${path} (${codeOf(error)}), a file for the link for the owner and the first API key; make the folder writable, or start Deskbell on a terminal`,
    )
  }
}

/** If no API key of the installation is valid, the oldest project; otherwise null. */
async function findKeylessProject(db: Db): Promise<string | null> {
  const [row] = await db<{ id: string }[]>`
    select id from projects where not exists (select from api_keys where disabled_at is null)
    order by created_at, id limit 1`
  return row?.id ?? null
}

/** Whether there is no account that can sign in to the dashboard. */
async function lacksAccounts(db: Db): Promise<boolean> {
  const [row] = await db<{ is_empty: boolean }[]>`select not exists (select from user_logins) as is_empty`
  return row!.is_empty
}

type Start = Pick<Config, 'publicUrl' | 'host' | 'port' | 'roles' | 'mailListen'>

/** The text that a process prints at its start. Only processes that serve HTTP say what a new installation lacks. */
export async function describeStart(db: Db, start: Start, first: string | null): Promise<string> {
  if (!start.roles.has('http')) return describeWorker(start) + describeMail(start)
  const keyless = await findKeylessProject(db)
  const lacksAccount = first === null && (await lacksAccounts(db))
  return [
    describeFront(start),
    describeMail(start),
    ...(first ? [`${first}\n`] : []),
    ...(keyless ? [adviseKey(keyless)] : []),
    ...(lacksAccount ? [adviseAccount] : []),
  ].join('')
}

const describeFront = ({ publicUrl, host, port }: Start): string =>
  `Deskbell is ready at ${publicUrl}\n${
    publicUrl === `http://localhost:${port}` ? '' : `It listens on port ${port} of ${host}.\n`
  }`

/** The name by which this machine reaches the server. A server that listens on all addresses is at localhost too. */
const nameOf = (host: string): string =>
  ['0.0.0.0', '::'].includes(host) ? 'localhost' : isIPv6(host) ? `[${host}]` : host

function describeMail({ roles, mailListen }: Start): string {
  if (!roles.has('channels') || mailListen.length === 0) return ''
  return `It accepts email at ${mailListen.map(listenerUrl).join(' and ')}.\n`
}

const describeWorker = ({ host, port, roles }: Start): string =>
  `Deskbell is ready at http://${nameOf(host)}:${port}\n` +
  `Its ROLES are ${[...roles].join(' and ')}, so it serves only /healthz, /readyz and /metrics.\n`

const adviseKey = (project: string): string =>
  `No API key works yet. Create one: bin/deskbell key create --project ${project} --name NAME\n`

const adviseAccount =
  'Nobody can sign in yet. Create a link: bin/deskbell operator link --email YOUR-ADDRESS\n'

const describeFile = (path: string): string => `
The link to create your account and the first API key are in this file. Delete it after you have used both:

  ${path}
`

const describeAccess = (url: string, { name, key, token }: First): string => `
Create your account with this link. It works once, within 24 hours:

  ${linkUrlOf(url, token)}

API key of the project "${name}". Copy it now. You will not see it again:

  ${key}

Create a ticket with it:

  curl -X POST ${url}/api/v1/tickets \\
    -H 'Authorization: Bearer ${key}' \\
    -H 'Content-Type: application/json' \\
    -d '{"contact":{"email":"ann@example.com","full_name":"Ann Lee"},"subject":"Cannot pay","content":"My card is refused."}'

Explore and try the whole API: ${url}/docs
`
