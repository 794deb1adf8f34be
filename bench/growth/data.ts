import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../src/core/config.ts'
import type { Db } from '../../src/core/db.ts'
import { createKey } from '../../src/keys/keys.ts'
import { endWithUs } from '../children.ts'
import { openDataDir } from '../data.ts'
import type { SampleIds } from './sample.ts'

/** A data folder with one seeded project, and what a caller needs to know of it. */
export interface Place {
  dataDir: string
  key: string
  ids: SampleIds
}

async function runSeed(dataDir: string, tickets: number, messages: number): Promise<string> {
  const args = ['bench/seed/main.ts', '--tickets', String(tickets), '--messages', String(messages)]
  const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '' }
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] })
  endWithUs(child)
  const chunks: Buffer[] = []
  child.stdout.on('data', chunk => chunks.push(chunk))
  const [status] = await once(child, 'close')
  if (status !== 0) throw new Error(`bin/seed ended with status ${status}`)
  return JSON.parse(Buffer.concat(chunks).toString()).project_id
}

const only = async (found: Promise<readonly { id: string }[]>): Promise<string> => (await found)[0]!.id

async function findIds(db: Db, project: string): Promise<SampleIds> {
  const [counted] = await db<{ tickets: number }[]>`
    select count(*) as tickets from tickets where project_id = ${project}`
  const by = (column: string, offset: number) =>
    only(db<{ id: string }[]>`
      select ${db(column)} as id from tickets where project_id = ${project} and ${db(column)} is not null
      group by 1 order by count(*) desc, 1 limit 1 offset ${offset}`)
  return {
    tickets: counted!.tickets,
    heavyContact: await by('contact_id', 0),
    lightContact: await by('contact_id', 100),
    operator: await by('operator_id', 0),
    otherOperator: await by('operator_id', 20),
    department: await by('department_id', 0),
    longTicket: await only(db<{ id: string }[]>`
      select ticket_id as id from ticket_activity where project_id = ${project} order by messages_count desc limit 1`),
    ticket: await only(db<{ id: string }[]>`
      select id from tickets where project_id = ${project} order by created_at offset ${Math.floor(counted!.tickets / 2)} limit 1`),
  }
}

export async function readPlace(dataDir: string, project: string): Promise<Place> {
  const { db, close } = await openDataDir(dataDir)
  try {
    const { key } = await createKey(db, project, 'Bench')
    return { dataDir, key, ids: await findIds(db, project) }
  } finally {
    await close()
  }
}

/** Seeds the folder at its first use; later runs find it as it is. */
export async function preparePlace(folder: string, tickets: number, messages: number): Promise<Place> {
  const dataDir = join(folder, `growth-${tickets}-${messages}`)
  const file = join(dataDir, 'bench.json')
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'))
  mkdirSync(dataDir, { recursive: true })
  const place = await readPlace(dataDir, await runSeed(dataDir, tickets, messages))
  writeFileSync(file, JSON.stringify(place), { mode: 0o600 })
  return place
}
