import { makeContact, makeMessage, makeTicket } from '../cast.ts'
import { type Client, createClient } from '../client.ts'
import { deskbell, type Program } from '../run/program.ts'

/** Creates two projects with a key each, and records for the fuzzer to find. */

export interface Peer {
  name: string
  key: string
}

async function makePeer(settings: Record<string, string>, name: string): Promise<Peer> {
  const project = await deskbell(settings, 'project', 'create', '--name', name, '--json')
  const { id } = JSON.parse(project.stdout)
  const key = await deskbell(settings, 'key', 'create', '--project', id, '--name', 'Fuzzer', '--json')
  return { name, key: JSON.parse(key.stdout).key }
}

async function makeRecords(api: Client): Promise<void> {
  await makeContact(api, { email: 'ann@example.com', telegram_id: 12345678, external_id: 'user-42' })
  const contact = { email: 'ann@example.com' }
  await api.post('/webhooks', { url: 'http://127.0.0.1:9/' })
  const ticket = await makeTicket(api, { contact, content: 'My card is refused.', tags: ['vip'] })
  await makeMessage(api, ticket.id, { content: 'A *note*', content_format: 'markdown', is_internal: true })
  await makeTicket(api, { contact, status: 'closed' })
}

export async function makeSample({ url }: Program, settings: Record<string, string>): Promise<Peer[]> {
  const peers = [await makePeer(settings, 'Acme'), await makePeer(settings, 'Rival')]
  for (const { key } of peers) await makeRecords(createClient(`${url}/api/v1`, key))
  return peers
}
