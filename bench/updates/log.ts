import type { Db } from '../../src/core/db/db.ts'
import { newestSeqOf } from '../../src/events/log.ts'
import { createKey } from '../../src/keys/keys.ts'
import { createProject } from '../../src/projects/projects.ts'
import { openCaller } from '../calls.ts'
import { listMisread, startReading } from '../chaos/readers.ts'
import { ask } from '../children.ts'
import type { Load } from '../machine/load.ts'
import { startLoad } from '../machine/machine.ts'
import { content, printRequest } from '../tickets.ts'
import type { Shown } from './show.ts'
import type { Stage } from './stage.ts'

interface Desk {
  projectId: string
  /** A key for writing and one for reading. */
  keys: string[]
  /** The request of each writer. */
  post: string
}

async function openDesk({ server, db }: Stage): Promise<Desk> {
  const { id: projectId } = await createProject(db, { name: 'Log' })
  const keys = [await createKey(db, projectId, 'writes'), await createKey(db, projectId, 'reads')].map(
    ({ key }) => key,
  )
  const caller = openCaller(server.url, keys[0]!)
  const contact = { email: 'ann@mail.example' }
  const { text } = await caller.call('POST', '/tickets', { contact, subject: 'Where is it?' })
  caller.close()
  const path = `/tickets/${JSON.parse(text).id}/messages`
  return { projectId, keys, post: printRequest('POST', path, keys[0]!, JSON.stringify({ content })) }
}

async function countEvents(db: Db, desks: Desk[]): Promise<number> {
  const ids = desks.map(({ projectId }) => projectId)
  const [row] = await db<{ count: number }[]>`
    select sum(${newestSeqOf(db, db`c.project_id`)})::int as count from project_counters c where project_id in ${db(ids)}`
  return row!.count
}

/** The length of a slice. Short, so that the writers stop soon after there are enough events. */
const seconds = 5

async function write({ server, db }: Stage, desks: Desk[], events: number, writers: number): Promise<number> {
  const load = startLoad()
  let failures = 0
  try {
    while ((await countEvents(db, desks)) < events) {
      const order = {
        port: server.port,
        connections: writers,
        seconds,
        requests: desks.map(({ post }) => post),
      }
      failures += (await ask<Load>(load, order)).failures
    }
  } finally {
    load.disconnect()
  }
  return failures
}

/** Many clients write in many projects, with two readers each. No reader may miss an event or see another project's. */
export async function readLogs(stage: Stage, events: number): Promise<Shown> {
  const [projects, writers] = [50, 64]
  const desks: Desk[] = []
  for (let at = 0; at < projects; at++) desks.push(await openDesk(stage))
  const { readers, finish } = startReading(desks, [stage.server.url])
  const failures = await write(stage, desks, events, writers)
  const written = await countEvents(stage.db, desks)
  await finish(stage.db)
  const wrong: string[] = []
  for (const reader of readers) wrong.push(...(await listMisread(stage.db, reader)))
  const missing = readers.reduce((sum, { ids }) => sum - ids.length, 2 * written)
  return {
    id: 'U1',
    what: `${writers} write into ${projects} projects, two follow the log of each`,
    wanted: 'none missing, repeated, out of order or from another project',
    measured: `${written} events, each read twice: ${missing} missing, ${wrong.length} wrong${wrong.length ? ` (${wrong[0]})` : ''}; ${failures} posts failed`,
    isKept: missing === 0 && wrong.length === 0 && failures === 0,
  }
}
