import { randomBytes } from 'node:crypto'
import { sha256 } from '../../src/core/crypto.ts'
import type { Db } from '../../src/core/db/db.ts'
import { newId } from '../../src/core/ids.ts'
import type { Server } from '../server.ts'
import type { Seat } from '../streams/clients.ts'

/** Creates visitors of one project. Returns their tokens. */
export async function makeVisitors(db: Db, projectId: string, count: number): Promise<string[]> {
  const settings = { is_on: true, notifies_visitors: true }
  await db`insert into widgets (project_id, settings) values (${projectId}, ${settings as never})`
  const tokens = Array.from({ length: count }, () => `vt_${randomBytes(32).toString('base64url')}`)
  const hashes = tokens.map(token => sha256(token).toString('hex'))
  await db`
    insert into visitors (project_id, id, token_hash)
    select ${projectId}, gen_random_uuid(), decode(hash, 'hex') from unnest(${hashes as never}::text[]) as h (hash)`
  return tokens
}

const pathOf = (projectId: string) => `/api/widget/projects/${projectId}`

export function seatOf(projectId: string, token: string): Seat {
  const tab = newId()
  return {
    stream: `${pathOf(projectId)}/stream?tab=${tab}`,
    presence: `${pathOf(projectId)}/presence`,
    beat: { tab, is_watching: true, ticket_id: null },
    person: `authorization: Bearer ${token}`,
  }
}

/** Creates a ticket for each visitor. */
export async function beginTickets({ url }: Server, projectId: string, tokens: string[]): Promise<string[]> {
  const ids: string[] = []
  for (const token of tokens) {
    const answer = await fetch(`${url}${pathOf(projectId)}/tickets`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ content: 'Where is my order?' }),
    })
    if (answer.status !== 201) throw new Error(`A ticket was not begun: ${await answer.text()}`)
    ids.push(((await answer.json()) as { id: string }).id)
  }
  return ids
}
