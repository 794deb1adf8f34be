import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Db } from '../../src/core/db/db.ts'
import { createKey } from '../../src/keys/keys.ts'
import { listProjects } from '../../src/projects/projects.ts'
import { type Dovecot, startDovecot } from '../../test/dovecot.ts'
import { freePort } from '../../test/free-port.ts'
import { deskbell } from '../../test/run/program.ts'
import { until } from '../../test/until.ts'
import { ask } from '../children.ts'
import { openDataDir } from '../data.ts'
import type { PromiseId } from '../promises.ts'
import { record } from '../results.ts'
import { type Server, startServer } from '../server.ts'
import { makeUsualMail, putMails } from './mails.ts'
import type { Delivery } from './sender.ts'

/** A server with one mailbox that is fetched from Dovecot by IMAP, and one that receives by LMTP. */
export interface Stage {
  server: Server
  /** Starts the server again after it was killed. */
  start(): Promise<Server>
  /** Connects to the database again, whose socket has another place after a restart of Postgres. */
  reopen(): Promise<void>
  dataDir: string
  db: Db
  key: string
  projectId: string
  dovecot: Dovecot
  lmtpPort: number
  sender: ChildProcess
  /** The ID of the mailbox support@example.com. */
  supportId: string
  close(): Promise<void>
}

export const idleUsers = 100

const users = ['support', 'many', ...Array.from({ length: idleUsers }, (_, at) => `idle${at}`)]

/** Runs a command of the command line in the server's data folder. */
export async function command({ dataDir }: Pick<Stage, 'dataDir'>, ...words: string[]): Promise<string> {
  const { status, stdout, stderr } = await deskbell({ DATA_DIR: dataDir }, ...words)
  if (status !== 0) throw new Error(`deskbell ${words.join(' ')}: ${stderr}`)
  return stdout
}

type Place = Pick<Stage, 'dataDir' | 'dovecot' | 'projectId'>

/** Creates the mailbox of a Dovecot user, and returns its ID. */
export async function addImapMailbox(stage: Place, user: string, ...others: string[]): Promise<string> {
  const file = join(stage.dataDir, 'password')
  writeFileSync(file, 'secret\n')
  const words = ['--project', stage.projectId, '--address', `${user}@example.com`, '--user', user]
  const place = ['--host', '127.0.0.1', '--port', String(stage.dovecot.imapPort), '--security', 'none']
  const made = await command(
    stage,
    ...['mailbox', 'create', ...words, ...place, '--password-file', file, '--json', ...others],
  )
  return JSON.parse(made).id
}

export const untilConnected = ({ db }: Stage, id: string) =>
  until(async () => (await db`select from mailboxes where id = ${id} and last_ok_at is not null`).length, 120)

/** The number of emails that have an outcome. */
export async function countHandled({ db }: Stage): Promise<number> {
  const [row] = await db`select count(*)::int as count from incoming_mails where state <> 'stored'`
  return row!.count
}

/** Writes emails into files for `deliver`. */
export function saveMails({ dataDir }: Pick<Stage, 'dataDir'>, mails: string[]): string[] {
  const folder = mkdtempSync(join(dataDir, 'mails-'))
  return mails.map((mail, at) => {
    const path = join(folder, `${at}.eml`)
    writeFileSync(path, mail)
    return path
  })
}

/** Delivers the emails in these files in another process, and returns after the last one was accepted. */
export async function deliver(
  { sender }: Stage,
  port: number,
  to: string,
  paths: string[],
  { connections = 1, isRepeated = false } = {},
): Promise<void> {
  const delivery: Delivery = { port, to, paths, connections, isRepeated }
  const failed = await ask<string | null>(sender, delivery)
  if (failed) throw new Error(failed)
}

/** Excludes from the measurements what the first emails load or allocate. */
async function warmUp(stage: Stage): Promise<void> {
  putMails(
    stage.dovecot.maildir('support'),
    Array.from({ length: 20 }, () => makeUsualMail()),
  )
  const delivered = Array.from({ length: 20 }, () => makeUsualMail())
  await deliver(stage, stage.lmtpPort, 'listen@example.com', saveMails(stage, delivered))
  await until(async () => (await countHandled(stage)) === 40, 120)
}

export async function openStage(): Promise<Stage> {
  const dataDir = mkdtempSync(join(tmpdir(), 'deskbell-bench-'))
  const cleanups: (() => unknown)[] = [() => rmSync(dataDir, { recursive: true, force: true })]
  const context = { after: (run: () => unknown) => void cleanups.unshift(run) }
  const dovecot = await startDovecot(context, {
    users: Object.fromEntries(users.map(user => [user, 'secret'])),
    processes: 200,
  })
  const lmtpPort = await freePort()
  const NODE_OPTIONS = `--expose-gc --import=${join(import.meta.dirname, '../streams/collect.ts')}`
  const settings = { DATA_DIR: dataDir, NODE_OPTIONS, MAIL_LISTEN: `lmtp://127.0.0.1:${lmtpPort}` }
  const start = () => startServer(settings)
  const server = await start()
  context.after(() => stage.server.stop())
  let data = await openDataDir(dataDir)
  context.after(() => data.close())
  const [project] = await listProjects(data.db)
  const { key } = await createKey(data.db, project!.id, 'Bench')
  const sender = fork(new URL('sender.ts', import.meta.url))
  context.after(() => sender.disconnect())
  const place = { dataDir, dovecot, projectId: project!.id }
  const listen = ['--project', project!.id, '--address', 'listen@example.com', '--incoming', 'listen']
  await command(place, 'mailbox', 'create', ...listen)
  const supportId = await addImapMailbox(place, 'support')
  const stage: Stage = {
    ...{ ...place, server, start, db: data.db, key, lmtpPort, sender, supportId },
    async reopen() {
      await data.close().catch(() => {})
      data = await openDataDir(dataDir)
      stage.db = data.db
    },
    async close() {
      for (const cleanup of cleanups) await cleanup()
    },
  }
  await untilConnected(stage, supportId)
  await warmUp(stage)
  return stage
}

/** Reports a promise. The figures of a short form are not recorded. */
export function tell(id: PromiseId, measured: string, isKept: boolean): boolean {
  console.log(`${id}  ${isKept ? 'kept' : 'NOT KEPT'}  ${measured}`)
  record(id, {
    measured,
    isKept,
    ...(!isKept && { note: 'Other programs have a share in it; see the load' }),
  })
  return isKept
}
