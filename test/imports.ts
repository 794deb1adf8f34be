import assert from 'node:assert/strict'
import { unique } from './cast.ts'
import type { Client } from './client.ts'

/** Imports through the public API. */

export const importSource = 'zendesk'

/** A closed ticket from 2020 with a question and an answer. */
export function oldTicket(fields: object = {}) {
  const source_id = unique()
  return {
    source_id,
    subject: `Order ${source_id}`,
    status: 'closed',
    contact: {
      source_id: `contact of ${source_id}`,
      email: `${source_id}@example.com`,
      full_name: 'Ann Lee',
    },
    created_at: '2020-03-01T09:00:00Z',
    messages: [
      oldMessage(`${source_id}-1`),
      oldMessage(`${source_id}-2`, {
        author: { type: 'operator', email: 'gone@example.com', name: 'Olga' },
        created_at: '2020-03-01T10:00:00.5Z',
      }),
    ],
    ...fields,
  }
}

export const oldMessage = (source_id: string, fields: object = {}) => ({
  source_id,
  author: { type: 'contact' },
  content: `Where is ${source_id}?`,
  created_at: '2020-03-01T09:00:00Z',
  ...fields,
})

/** Imports items of a kind, and returns their results. */
export async function importItems(
  api: Client,
  kind: 'contacts' | 'tickets' | 'messages',
  items: object[],
  more: object = {},
) {
  const answer = await api.post(`/import/${importSource}/${kind}`, { items, ...more })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.items
}
