import { nobody } from '../cast.ts'
import type { Client } from '../client.ts'
import { oldMessage, oldTicket } from '../imports.ts'

/** The parts of the journey that import and delete records. */

export async function useImports(api: Client): Promise<void> {
  const item = oldTicket({ operator: { email: 'gone@example.com' } })
  await api.post('/import/zendesk/contacts', { items: [{ source_id: '7', email: 'old@example.com' }] })
  await api.post('/import/zendesk/tickets', {
    items: [item, oldTicket({ contact: 'nobody' })],
    dry_run: true,
  })
  await api.post('/import/zendesk/tickets', { items: [item] })
  await api.post('/import/zendesk/messages', { items: [{ ticket: item.source_id, ...oldMessage('8') }] })
  await api.get('/import')
  await api.get('/import/zendesk')
  await api.request('DELETE', '/import/zendesk?force=true')
  await api.post('/import/zendesk/contacts', { items: [{ source_id: '8' }] })
  await api.get('/import/nothing')
}

export async function usePersonalData(api: Client): Promise<void> {
  // Imported, because the journey's plan allows only a few tickets.
  const imported = await api.post('/import/leaving/tickets', { items: [oldTicket()] })
  const ticket = imported.body.items[0].id
  const contact = (await api.get(`/tickets/${ticket}`)).body.contact_id
  for (const path of [`/tickets/${ticket}`, `/contacts/${contact}`]) {
    await api.get(`${path}/deletion-preview`)
    const { body } = await api.request('DELETE', path)
    await api.get(`/deletions/${body.id}`)
    await api.request('DELETE', path)
  }
  await api.get(`/contacts/${contact}/export`)
  await api.get('/deletions?limit=1')
  for (const path of [`/tickets/${nobody}`, `/contacts/${nobody}`]) {
    await api.get(`${path}/deletion-preview`)
    await api.request('DELETE', path)
  }
  await api.get(`/contacts/${nobody}/export`)
  await api.get(`/deletions/${nobody}`)
}
