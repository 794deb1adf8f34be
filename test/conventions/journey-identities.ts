import { hashIdentityCode } from '../../src/contacts/contacts.ts'
import { makeContact, makeTicket } from '../cast.ts'
import type { TestServer } from '../server.ts'

/** Calls the operations on identities and contact merges. The server must have a mail server. */
export async function useIdentities({ api, db, vault, acme }: TestServer): Promise<void> {
  const contact = await makeContact(api, { phone: '1', custom_fields: { plan: 'team' } })
  const other = await makeContact(api, { full_name: 'Ann' })
  await makeTicket(api, { contact: { email: contact.email }, content: 'Hello' })
  const all = `/contacts/${contact.id}/identities`
  const one = `${all}/email:${contact.email}`
  await api.post(all, { type: 'email', value: 'a second one@example.com' })
  await api.post(all, { type: 'external', value: 'u/9', is_verified: true, reason: 'Called back' })
  await api.patch(`${all}/external:u%2F9`, { value: 'u-10', is_primary: false })
  await api.post(`${one}/code`)
  await api.post(`${one}/verify`, { code: '1' })
  const hash = hashIdentityCode(vault, acme.id, contact.email, '123456')
  await db`update identity_codes set code_hash = ${hash} where project_id = ${acme.id} and value = ${contact.email}`
  await api.post(`${one}/verify`, { code: '123456' })
  await api.get(all)
  await api.get(`${one}/move/${other.id}`)
  await api.post(`${one}/move`, { into_contact_id: other.id })
  await api.delete(`${all}/external:u-10`)
  await api.get(`/contacts/${contact.id}/merge/${other.id}`)
  await api.post(`/contacts/${contact.id}/merge`, { into_contact_id: other.id, winners: { phone: 'into' } })
  await api.get(`/contacts/${other.id}/merges`)
  await api.post(`/contacts/${contact.id}/unmerge`)
  await api.post(`/contacts/${contact.id}/unmerge`)
}
