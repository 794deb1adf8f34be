import assert from 'node:assert/strict'
import { seed } from '../../bench/seed/seed.ts'
import { withoutTimeout } from '../../src/core/db/db.ts'
import { putCategory } from '../../src/knowledge/knowledge.ts'
import { makeMessage, makeTicket } from '../cast.ts'
import type { Answer, Client } from '../client.ts'
import type { Desk } from '../desk.ts'
import { makeArticle } from '../knowledge.ts'
import type { TestServer } from '../server.ts'
import { makePicture, makeUpload } from '../upload.ts'
import { enrichContacts, enrichMessages, enrichTickets } from './enrich.ts'

/** Fills Acme with this many tickets, and with everything else that a project can have. */
export async function makeHistory(server: TestServer, desk: Desk, tickets: number): Promise<void> {
  const { db, acme } = server
  await makeSettings(server, desk)
  const size = { tickets, messages: tickets * 6, contacts: Math.ceil(tickets / 2), events: 0, seed: 1 }
  await withoutTimeout(db, async own => {
    await seed(own, { ...size, projectId: acme.id }, () => {})
    await enrichContacts(own, acme.id)
    await enrichTickets(own, acme.id)
    await enrichMessages(own, acme.id)
  })
  await playTickets(server, desk)
}

async function must(answer: Promise<Answer>) {
  const { status, text, body } = await answer
  assert.ok(status < 300, text)
  return body
}

async function makeSettings({ db, acme, api }: TestServer, desk: Desk): Promise<void> {
  await must(
    desk.owner.post('/custom-fields', {
      record: 'ticket',
      key: 'plan',
      label: 'Plan',
      type: 'select',
      options: ['gold', 'free'],
    }),
  )
  await must(
    desk.owner.post('/custom-fields', { record: 'ticket', key: 'seats', label: 'Seats', type: 'number' }),
  )
  await must(
    desk.owner.post('/custom-fields', { record: 'contact', key: 'plan', label: 'Plan', type: 'text' }),
  )
  await must(
    desk.owner.post('/custom-fields', { record: 'organization', key: 'plan', label: 'Plan', type: 'text' }),
  )
  await must(
    desk.owner.post('/canned-answers', {
      scope: 'shared',
      shortcut: 'hi',
      title: 'Hello',
      content: 'Hello {{contact.first_name}}',
    }),
  )
  await must(desk.operator.post('/canned-answers', { shortcut: 'own', title: 'My own', content: 'Bye' }))
  await must(desk.operator.post('/views', { name: 'Urgent', filters: { priority: ['urgent'] } }))
  const id = await putCategory(db, acme.id, {
    path: ['Guides', 'First steps'],
    locale: 'en',
    description: 'Begin here',
  })
  await putCategory(db, acme.id, { path: ['Guides'], locale: 'de', title: 'Anleitungen' })
  await makeArticle(db, acme, { slug: 'start', category_id: id, tags: ['vip'] })
  await makeArticle(db, acme, {
    slug: 'start',
    locale: 'de',
    title: 'Anfang',
    markdown: '# Hallo\n\n| a | b |\n|---|---|\n| 1 | 2 |',
  })
  await makeArticle(db, acme, { slug: 'start', markdown: 'Not published yet', status: 'draft' })
  await makeArticle(db, acme, { slug: 'internal', is_internal: true })
  await must(api.post('/webhooks', { url: 'http://example.com' }))
}

/** Some contacts join an organization by their addresses, and for others somebody chooses one or none. */
async function playOrganizations(api: Client): Promise<void> {
  const details = { external_id: 'crm-7', note: 'A good customer', custom_fields: { plan: 'gold' } }
  await must(
    api.post('/organizations', { name: 'Shop', domains: ['shop.example', 'shop2.example'], ...details }),
  )
  const other = await must(api.post('/organizations', { name: 'Other', domains: [] }))
  const gone = await must(api.post('/organizations', { name: 'Gone' }))
  await must(api.post('/contacts', { email: 'chosen@shop.example', organization_id: other.id }))
  await must(api.post('/contacts', { email: 'none@shop.example', organization_id: null }))
  await must(api.post('/contacts', { email: 'left@elsewhere.example', organization_id: gone.id }))
  await must(api.delete(`/organizations/${gone.id}`))
}

/** Does with tickets what people and programs do. */
async function playTickets({ api }: TestServer, desk: Desk): Promise<void> {
  await playOrganizations(api)
  const contact = { email: 'ann@shop.example', external_id: 'shop-1', full_name: 'Ann Lee' }
  const first = await makeTicket(api, { contact, subject: 'First', content: 'Where is it?', tags: ['vip'] })
  const second = await makeTicket(api, { contact, subject: 'Second', content: 'Hello?' })
  const [picture, file] = [
    await makePicture(api),
    await makeUpload(api, { filename: 'a b.txt', content: 'the bytes' }),
  ]
  const posted = await makeMessage(api, second.id, {
    content: '**See** the files',
    content_format: 'markdown',
    media_ids: [picture.id, file.id],
  })
  await must(desk.operator.post(`/tickets/${second.id}/messages`, { content: 'A note', is_internal: true }))
  await must(
    desk.operator.post(`/tickets/${second.id}/messages`, { content: 'An answer', reply_to_id: posted.id }),
  )
  await must(desk.operator.put(`/messages/${posted.id}/reactions/${encodeURIComponent('👍')}`))
  await must(api.post(`/tickets/${second.id}/merge`, { into_ticket_id: first.id }))
  await must(desk.operator.post(`/tickets/${first.id}/take`))
  await must(api.post(`/tickets/${first.id}/close`))
  await must(api.post(`/tickets/${first.id}/reopen`))
  const other = await must(api.post('/contacts', { email: 'lee@shop.example', external_id: 'shop-2' }))
  await must(api.post(`/contacts/${other.id}/merge`, { into_contact_id: first.contact.id }))
}
