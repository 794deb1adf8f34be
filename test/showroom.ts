import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core'
import { openDataDir } from '../bench/data.ts'
import { type Server, startServer } from '../bench/server.ts'
import { root } from '../src/core/config/config.ts'
import type { Db } from '../src/core/db/db.ts'
import { createLink } from '../src/users/users.ts'
import { buildWeb } from '../web/build.ts'
import { openBrowser } from './browser.ts'

/** A real server with a first project and a signed-in owner, in a real Chromium. */
export interface Showroom {
  base: string
  dataDir: string
  server: Server
  db: Db
  projectId: string
  browser: Browser
  /** Opens a new window, signed in as the owner. */
  open(options?: BrowserContextOptions): Promise<BrowserContext>
  cli(...words: string[]): void
  close(): Promise<void>
}

const owner = { name: 'Olga Berg', email: 'olga@example.com', password: 'correct horse battery' }

async function makeOwner(context: BrowserContext, db: Db, base: string, project_id: string) {
  const { token } = await createLink(db, { purpose: 'set_up', project_id })
  const answer = await context.request.post(`${base}/api/dashboard/links/${token}`, {
    data: owner,
    headers: { origin: base },
  })
  if (!answer.ok()) throw new Error(`The owner could not be made: ${await answer.text()}`)
}

/** DATA_DIR may be from an earlier run, whose owner then signs in again. */
async function signIn(context: BrowserContext, db: Db, base: string, projectId: string): Promise<void> {
  const [known] = await db`select from users where email = ${owner.email}`
  if (!known) return makeOwner(context, db, base, projectId)
  const answer = await context.request.post(`${base}/api/auth/sign-in/email`, {
    data: { email: owner.email, password: owner.password },
    headers: { origin: base },
  })
  if (!answer.ok()) throw new Error(`The owner could not sign in: ${await answer.text()}`)
}

export async function openShowroom(dataDir: string, projectName: string): Promise<Showroom> {
  await buildWeb(words => process.stderr.write(`${words}\n`))
  const undo: (() => unknown)[] = []
  const close = async () => {
    for (const one of undo.splice(0).reverse()) await one()
  }
  try {
    const server = await startServer({ DATA_DIR: dataDir })
    undo.push(server.stop)
    return { ...(await furnish(server, dataDir, projectName, undo)), close }
  } catch (error) {
    // A running server would keep the caller's process alive.
    await close()
    throw error
  }
}

async function furnish(
  server: Server,
  dataDir: string,
  projectName: string,
  undo: (() => unknown)[],
): Promise<Omit<Showroom, 'close'>> {
  const base = `http://localhost:${server.port}`
  const { db, close } = await openDataDir(dataDir)
  undo.push(close)
  const [project] = await db<{ id: string }[]>`
    update projects set name = ${projectName}
    where id = (select id from projects order by created_at, id limit 1) returning id`
  const browser = await openBrowser()
  undo.push(() => browser.close())
  const first = await browser.newContext()
  await signIn(first, db, base, project!.id)
  const storageState = await first.storageState()
  return {
    base,
    dataDir,
    server,
    db,
    projectId: project!.id,
    browser,
    open: options => browser.newContext({ locale: 'en-GB', baseURL: base, storageState, ...options }),
    cli(...words) {
      const program = join(root, 'src/cli/main.ts')
      const env = { ...process.env, DATA_DIR: dataDir }
      const { status } = spawnSync(process.execPath, [program, ...words], { env, stdio: ['ignore', 2, 2] })
      if (status !== 0) throw new Error(`deskbell ${words.join(' ')} ended with status ${status}`)
    },
  }
}
