import assert from 'node:assert/strict'
import { createChannel } from '../src/channels/custom/custom-channels.ts'
import type { Db } from '../src/core/db/db.ts'
import { type Member, unique } from './cast.ts'
import type { Answer, Client } from './client.ts'

/** A custom channel and the program that connects a messenger to it. */

export interface Program {
  /** The channel as it was created. */
  channel: { id: string; name: string; version: number }
  /** Posts a contact's message, by default with a new id. */
  post(person: string, content: string, more?: object): Promise<Answer>
  outgoing(): Promise<Waiting[]>
  report(messageId: string, status: string, more?: object): Promise<Answer>
}

export interface Waiting {
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects to be there
  message: any
  contact: { id: string; external_id: string; full_name: string | null }
  reply_to_external_id: string | null
}

export async function makeChannel(admin: Client, api: Client, more: object = {}): Promise<Program> {
  const made = await admin.post('/channels', { name: `c${unique()}`, title: 'Signal', ...more })
  assert.equal(made.status, 201, made.text)
  const path = `/channels/${made.body.id}`
  return {
    channel: made.body,
    post: (person, content, fields = {}) =>
      api.post(`${path}/messages`, {
        external_id: unique(),
        contact: { external_id: person, full_name: `Person ${person}` },
        content,
        ...fields,
      }),
    outgoing: async () => (await api.get(`${path}/outgoing`)).body.items,
    report: (message_id, status, fields = {}) =>
      api.post(`${path}/deliveries`, { message_id, status, ...fields }),
  }
}

/** Creates a channel with one message, whose id in the messenger is `external_id`. */
export async function makeChannelWithMessage(db: Db, { id }: Member, api: Client) {
  const caller = { project: { id }, actor: { type: 'cli' as const } }
  const channel = await createChannel(db, caller, { name: `c${unique()}`, title: 'Signal' })
  const external_id = `m-${unique()}x`
  const message = { external_id, contact: { external_id: unique() }, content: 'Hello' }
  const posted = await api.post(`/channels/${channel.id}/messages`, message)
  assert.equal(posted.status, 201, posted.text)
  return { channel_id: channel.id, external_id, ticket_id: posted.body.ticket_id }
}
