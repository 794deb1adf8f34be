import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Db } from '../../src/core/db/db.ts'
import { createLog } from '../../src/core/telemetry/log.ts'
import { indexingJob } from '../../src/indexing.ts'
import { createKey } from '../../src/keys/keys.ts'
import { openDataDir } from '../data.ts'
import { seed } from '../seed/seed.ts'
import type { SampleIds } from './sample.ts'

/** A data folder with one seeded project, and the data that a caller needs. */
export interface Place {
  dataDir: string
  key: string
  ids: SampleIds
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

/** Indexes like the server's background job after an upgrade, without its pauses. */
async function index(db: Db, project: string): Promise<void> {
  const job = indexingJob(createLog('warn'), 0)
  for (let done = 0, some = -1; some !== 0; done += some) {
    some = await job.run(db, project)
    process.stderr.write(`\rindexed and read: ${done + some}`)
  }
}

/** Seeds the folder at its first use. Later runs use it unchanged. */
export async function preparePlace(
  folder: string,
  tickets: number,
  messages: number,
  isIndexed = true,
): Promise<Place> {
  const dataDir = join(folder, `${isIndexed ? 'growth' : 'upgrade'}-${tickets}-${messages}`)
  const file = join(dataDir, 'bench.json')
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'))
  mkdirSync(dataDir, { recursive: true })
  const { db, close } = await openDataDir(dataDir)
  try {
    const size = {
      tickets,
      messages,
      contacts: Math.ceil(tickets / 5),
      events: Math.min(messages, 10_000),
      seed: 1,
    }
    const { project_id } = await seed(db, { ...size, projectId: null }, text => process.stderr.write(text))
    if (isIndexed) await index(db, project_id)
    const { key } = await createKey(db, project_id, 'Bench')
    const place = { dataDir, key, ids: await findIds(db, project_id) }
    writeFileSync(file, JSON.stringify(place), { mode: 0o600 })
    return place
  } finally {
    await close()
  }
}
