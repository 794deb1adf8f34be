import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from '../src/core/db/db.ts'
import { newId } from '../src/core/ids.ts'
import type { Member } from './cast.ts'
import type { Answer, Client } from './client.ts'

/** Inserts events without a notification, and returns the last sequence number. */
export async function append(db: Db, { id }: Member, count = 1, type = 'ticket.rated'): Promise<number> {
  const data = JSON.stringify({ ticket_id: newId(), rating: 5 })
  const [row] = await db<{ last: number }[]>`
    with counter as (
      update project_counters set event_seq = event_seq + ${count}::int where project_id = ${id} returning event_seq
    ), event as (
      insert into events (project_id, seq, id, type, data, created_at)
      select ${id}, event_seq - ${count}::int + n, gen_random_uuid(), ${type}, ${data}::text::json, now()
      from counter, generate_series(1, ${count}::int) n
    ) select event_seq as last from counter`
  return row!.last
}

export interface Update {
  seq: number
  id: string
  type: string
  workspace_id: string
}

/** Milliseconds without a new event after which the log is considered stuck. */
const timeoutMs = 150_000

/** Follows the log from a cursor until `isDone`, as an integration does, and repeats failed calls. */
export async function follow(
  ask: (path: string) => Promise<{ status: number; body: { items: Update[]; last_seq: number } } | null>,
  after: number,
  isDone: (cursor: number) => boolean,
): Promise<Update[]> {
  const seen: Update[] = []
  let deadline = Date.now() + timeoutMs
  for (let cursor = after; !isDone(cursor); ) {
    if (Date.now() > deadline) throw new Error(`Nothing came after ${cursor}`)
    const answer = await ask(`/updates?after=${cursor}&timeout=1&limit=7`)
    if (answer?.status !== 200) continue
    seen.push(...answer.body.items)
    if (answer.body.last_seq > cursor) deadline = Date.now() + timeoutMs
    cursor = answer.body.last_seq
  }
  return seen
}

/** Starts a long poll on a server that allows one per key, and returns once the server has accepted it. */
export const startWaiting = (
  api: Client,
  path = '/updates?timeout=30',
): Promise<{ answer: Promise<Answer> }> => waitUntilAccepted(api, () => api.get(path))

export async function waitUntilAccepted<A extends { status: number }>(
  api: Client,
  ask: () => Promise<A>,
): Promise<{ answer: Promise<A> }> {
  let answer = ask()
  for (let tries = 0; tries < 50; tries++) {
    await api.get('/updates?timeout=0')
    if (await isFull(api)) return { answer }
    const status = await statusSoFar(answer)
    // The check may have used the connection first.
    if (status === 429) answer = ask()
    else assert.equal(status, null, 'The call did not wait')
  }
  return assert.fail('The call was not accepted')
}

/** Waits until the key's only connection is in use, or free again. */
export async function untilFull(api: Client, wanted: boolean): Promise<void> {
  for (let tries = 0; tries < 50; tries++) if ((await isFull(api)) === wanted) return
  assert.fail(`The connection did not become ${wanted ? 'used' : 'free'}`)
}

const isFull = async (api: Client): Promise<boolean> =>
  (await api.get('/updates?timeout=1&events=ticket.force_taken')).status === 429

const statusSoFar = (answer: Promise<{ status: number }>): Promise<number | null> =>
  Promise.race([answer.then(({ status }) => status), nextTurn(null)])
