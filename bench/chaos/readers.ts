import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../src/core/db/db.ts'
import { bareId } from '../../src/core/ids.ts'
import { newestSeqOf } from '../../src/events/log.ts'
import { type Caller, openCaller } from '../calls.ts'
import { isDocumented } from '../ledger/clients.ts'
import type { Project } from '../ledger/projects.ts'

/** Follows the log of a project from its first event, through each process in turn. */
export interface Reader {
  projectId: string
  ids: string[]
  /** Faults in responses: a missing or repeated number, another project's event, an unexpected status. */
  faults: string[]
}

export interface Reading {
  readers: Reader[]
  /** Waits until they have read to the end of the log, and stops them. */
  finish(db: Db): Promise<void>
}

interface Update {
  seq: number
  id: string
  workspace_id: string
}

function take(reader: Reader, { items, last_seq, gap }: { items: Update[]; last_seq: number; gap: boolean }) {
  for (const { seq, id, workspace_id } of items) {
    reader.ids.push(id)
    if (seq !== reader.ids.length) reader.faults.push(`${seq} instead of ${reader.ids.length}`)
    if (workspace_id !== reader.projectId) reader.faults.push(`${id} of ${workspace_id}`)
  }
  if (gap || last_seq !== reader.ids.length) reader.faults.push(`gap ${gap}, last_seq ${last_seq}`)
}

async function ask(reader: Reader, caller: Caller): Promise<boolean> {
  try {
    const { status, text } = await caller.get(`/updates?after=${reader.ids.length}&timeout=5`)
    if (status === 200) take(reader, JSON.parse(text))
    else if (!isDocumented(status, text)) reader.faults.push(`${status} ${text.slice(0, 100)}`)
    return status === 200
  } catch {
    return false
  }
}

async function follow(reader: Reader, callers: Caller[], isOver: () => boolean): Promise<void> {
  for (let turn = 0; !isOver(); ) {
    if (await ask(reader, callers[turn % callers.length]!)) continue
    turn++
    await sleep(100)
  }
  for (const caller of callers) caller.close()
}

const newestOf = async (db: Db, projectId: string): Promise<number> => {
  const [row] = await db<{ seq: number }[]>`
    select ${newestSeqOf(db, db`c.project_id`)} as seq from project_counters c where project_id = ${projectId}`
  return row!.seq
}

/** Starts two readers per project, at different processes. */
export function startReading(projects: Pick<Project, 'projectId' | 'keys'>[], urls: string[]): Reading {
  let isOver = false
  const readers: Reader[] = []
  const running = projects.flatMap(({ projectId, keys }) =>
    [urls, urls.toReversed()].map(order => {
      const reader = { projectId, ids: [], faults: [] }
      readers.push(reader)
      const callers = order.map(url => openCaller(url, keys[1]!))
      return follow(reader, callers, () => isOver)
    }),
  )
  return {
    readers,
    async finish(db) {
      const deadline = performance.now() + 60_000
      for (const { projectId, ids } of readers) {
        const newest = await newestOf(db, projectId)
        while (ids.length < newest && performance.now() < deadline) await sleep(50)
      }
      isOver = true
      await Promise.all(running)
    },
  }
}

/** Differences between the events that a reader saw and the log. */
export async function listMisread(db: Db, { projectId, ids, faults }: Reader): Promise<string[]> {
  const log = await db<{ id: string }[]>`
    select id from events where project_id = ${projectId} order by seq`
  const wrong = log.findIndex(({ id }, at) => bareId(id) !== ids[at])
  return [
    ...faults,
    ...(wrong === -1 ? [] : [`event ${wrong + 1} of ${projectId} is another`]),
    ...(ids.length > log.length ? [`${ids.length - log.length} that the log does not hold`] : []),
  ]
}
