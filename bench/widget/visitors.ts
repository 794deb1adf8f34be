import { randomBytes } from 'node:crypto'
import { sha256 } from '../../src/core/crypto.ts'
import type { Db } from '../../src/core/db.ts'
import { newId } from '../../src/core/ids.ts'
import type { Server } from '../server.ts'
import type { Seat } from './clients.ts'

/** Visitors of one project, each with a token. */
export async function makeVisitors(db: Db, projectId: string, count: number): Promise<Seat[]> {
  const settings = { is_on: true, notifies_visitors: true }
  await db`insert into widgets (project_id, settings) values (${projectId}, ${settings as never})`
  const seats = Array.from({ length: count }, () => ({
    projectId,
    token: `vt_${randomBytes(32).toString('base64url')}`,
    tab: newId(),
  }))
  const hashes = seats.map(({ token }) => sha256(token).toString('hex'))
  await db`
    insert into visitors (project_id, id, token_hash)
    select ${projectId}, gen_random_uuid(), decode(hash, 'hex') from unnest(${hashes as never}::text[]) as h (hash)`
  return seats
}

/** Begins a ticket of each of these visitors. */
export async function beginTickets({ url }: Server, seats: Seat[]): Promise<string[]> {
  const ids: string[] = []
  for (const { projectId, token } of seats) {
    const answer = await fetch(`${url}/api/widget/projects/${projectId}/tickets`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ content: 'Where is my order?' }),
    })
    if (answer.status !== 201) throw new Error(`A ticket was not begun: ${await answer.text()}`)
    ids.push(((await answer.json()) as { id: string }).id)
  }
  return ids
}
