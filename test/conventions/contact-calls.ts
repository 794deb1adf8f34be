import { makeContact, unique } from '../cast.ts'
import type { Client } from '../client.ts'

/** Calls every operation on contacts and organizations. */

export async function useContacts(api: Client): Promise<void> {
  const contact = await makeContact(api, {
    telegram_id: 12345678,
    custom_fields: { plan: 'team', seats: [1, 2] },
  })
  const other = await makeContact(api)
  await api.get('/contacts?page_size=1')
  await api.get(`/contacts/${contact.id}`)
  await api.patch(`/contacts/${contact.id}`, { note: 'Pays late', is_blocked: true })
  await api.post('/tickets', { contact: { telegram_id: 12345678 } })
  await api.post('/tickets', { contact: { id: other.id }, channel: 'phone', content: 'x', is_internal: true })
  await api.post(`/contacts/${other.id}/merge`, { into_contact_id: contact.id })
}

export async function useOrganizations(api: Client): Promise<void> {
  const domains = [`${unique()}.example`]
  const made = await api.post('/organizations', { name: unique(), domains, external_id: unique() })
  const one = `/organizations/${made.body.id}`
  const contact = await makeContact(api, { organization_id: made.body.id })
  await api.get('/organizations?q=a')
  await api.get('/organizations?page_size=1&sort=-created_at')
  await api.get(one)
  await api.patch(one, { note: 'Pays late', custom_fields: { plan: 'team' } })
  await api.post('/organizations', { name: unique(), domains })
  await api.get(`/contacts?organization_id=${made.body.id}`)
  await api.get(`/tickets?organization_id=${made.body.id}`)
  await api.patch(`/contacts/${contact.id}`, { organization_id: null })
  await api.delete(one)
  await api.delete(one)
}
