import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Db } from '../../src/core/db/db.ts'
import { createKey } from '../../src/keys/keys.ts'
import { listProjects } from '../../src/projects/projects.ts'
import { freePort } from '../../test/free-port.ts'
import { makePerson, Participant } from '../../test/telegram/people.ts'
import { type StandIn, startStandIn } from '../../test/telegram/stand-in.ts'
import type { Bot } from '../../test/telegram/world.ts'
import { openDataDir } from '../data.ts'
import { command } from '../mail/stage.ts'
import { type Server, startServer } from '../server.ts'

/** A Deskbell server with bots at the stand-in, and people who write to them. */
export interface Stage {
  server: Server
  start(): Promise<Server>
  /** Connects to the database again, because the connection ends with the server. */
  reopen(): Promise<void>
  db: Db
  projectId: string
  key: string
  standIn: StandIn
  bots: Bot[]
  /** Each in a private chat with one of the bots. */
  people: Participant[]
  close(): Promise<void>
}

async function addBots(standIn: StandIn, dataDir: string, projectId: string, count: number): Promise<Bot[]> {
  const bots = Array.from({ length: count }, () => standIn.addBot())
  for (const { token } of bots) {
    const file = join(dataDir, 'token')
    writeFileSync(file, token)
    const words = ['--project', projectId, '--token-file', file, '--api-root', standIn.url, '--json']
    await command({ dataDir }, 'telegram', 'create', ...words)
  }
  return bots
}

export async function openStage(botCount: number, chats: number): Promise<Stage> {
  const dataDir = mkdtempSync(join(tmpdir(), 'deskbell-bench-'))
  const standIn = await startStandIn()
  const settings = { DATA_DIR: dataDir, PORT: String(await freePort()) }
  const start = () => startServer(settings)
  const server = await start()
  let data = await openDataDir(dataDir)
  const [project] = await listProjects(data.db)
  const { key } = await createKey(data.db, project!.id, 'Bench')
  const bots = await addBots(standIn, dataDir, project!.id, botCount)
  const people = Array.from(
    { length: chats },
    (_, at) => new Participant(standIn.world, bots[at % bots.length]!, makePerson({ first_name: `P${at}` })),
  )
  const stage: Stage = {
    ...{ server, start, db: data.db, projectId: project!.id, key, standIn, bots, people },
    async reopen() {
      await data.close().catch(() => {})
      data = await openDataDir(dataDir)
      stage.db = data.db
    },
    async close() {
      await stage.server.stop()
      await standIn.close()
      await data.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
  return stage
}

export interface TelegramTicket {
  id: string
  /** The id of the person. */
  telegramId: number
}

/** The tickets of the people. */
export const listTelegramTickets = ({ db, projectId }: Stage) => db<TelegramTicket[]>`
  select t.id, c.telegram_id::float8 as "telegramId" from tickets t
    join contacts c on c.project_id = ${projectId} and c.id = t.contact_id
  where t.project_id = ${projectId} and t.channel = 'telegram'`
