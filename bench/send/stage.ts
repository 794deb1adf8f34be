import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Db } from '../../src/core/db/db.ts'
import { createKey } from '../../src/keys/keys.ts'
import { listProjects } from '../../src/projects/projects.ts'
import { freePort } from '../../test/free-port.ts'
import { openCaller } from '../calls.ts'
import { ask } from '../children.ts'
import { openDataDir } from '../data.ts'
import { command } from '../mail/stage.ts'
import { type Server, startServer } from '../server.ts'
import type { Accepted, SinkPorts } from './sink.ts'

/** A Deskbell server with mailboxes that send to an SMTP sink, and with tickets whose replies are sent by email. */
export interface Stage {
  server: Server
  /** Starts the server again on the same port after it was killed. */
  start(): Promise<Server>
  /** Connects to the database again, because the connection ends with the server. */
  reopen(): Promise<void>
  dataDir: string
  db: Db
  key: string
  ports: SinkPorts
  mailboxIds: string[]
  ticketIds: string[]
  /** The emails that the sink has accepted since the last call. */
  takeAccepted(): Promise<Accepted[]>
  close(): Promise<void>
}

interface Size {
  mailboxes: number
  tickets: number
  /** The longest time until the sink responds, in milliseconds. */
  holdMs: number
}

async function makeMailboxes(dataDir: string, projectId: string, count: number, port: number) {
  const ids: string[] = []
  for (let at = 0; at < count; at++) {
    const words = ['--project', projectId, '--address', `support${at}@example.com`, '--incoming', 'listen']
    const smtp = ['--sending', 'smtp', '--smtp-host', '127.0.0.1', '--smtp-port', String(port)]
    const login = ['--smtp-security', 'none', '--smtp-auth', 'none', '--json']
    const made = await command({ dataDir }, 'mailbox', 'create', ...words, ...smtp, ...login)
    ids.push(JSON.parse(made).id)
  }
  return ids
}

async function makeTickets(url: string, key: string, count: number): Promise<string[]> {
  const caller = openCaller(url, key)
  const make = async (_: unknown, at: number): Promise<string> => {
    const contact = { email: `c${at}@example.org` }
    const { text } = await caller.call('POST', '/tickets', {
      contact,
      subject: 'A lamp',
      content: 'It is dark.',
    })
    return JSON.parse(text).id
  }
  const ids = await Promise.all(Array.from({ length: count }, make))
  caller.close()
  return ids
}

export async function openStage({ mailboxes, tickets, holdMs }: Size): Promise<Stage> {
  const dataDir = mkdtempSync(join(tmpdir(), 'deskbell-bench-'))
  const settings = { DATA_DIR: dataDir, PORT: String(await freePort()) }
  const start = () => startServer(settings)
  const server = await start()
  let data = await openDataDir(dataDir)
  const { db } = data
  const [project] = await listProjects(db)
  const { key } = await createKey(db, project!.id, 'Bench')
  const sink = fork(new URL('sink.ts', import.meta.url), [String(holdMs)])
  const [ports] = (await once(sink, 'message')) as [SinkPorts]
  const mailboxIds = await makeMailboxes(dataDir, project!.id, mailboxes, ports.port)
  await db`update mailboxes set send_rate = 10000 where project_id = ${project!.id}`
  const ticketIds = await makeTickets(server.url, key, tickets)
  await db`update tickets set channel = 'email' where project_id = ${project!.id}`
  const stage: Stage = {
    ...{ server, start, dataDir, db, key, ports, mailboxIds, ticketIds },
    takeAccepted: () => ask<Accepted[]>(sink, 'take'),
    async reopen() {
      await data.close().catch(() => {})
      data = await openDataDir(dataDir)
      stage.db = data.db
    },
    async close() {
      sink.disconnect()
      await stage.server.stop()
      await data.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
  return stage
}
