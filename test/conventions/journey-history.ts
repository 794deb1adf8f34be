import type { Client } from '../client.ts'

/** Calls the operations on a ticket's history. */
export async function useTicketHistory(api: Client, ticket: string): Promise<void> {
  const { items } = (await api.get(`${ticket}/history?limit=1`)).body
  await api.get(`${ticket}/history?before=${items[0].id}`)
  await api.post(`${ticket}/undo`, { id: items[0].id })
  const changed = await api.patch(ticket, { priority: 'high' })
  const [change] = (await api.get(`${ticket}/history?limit=1`)).body.items
  const headers = { 'If-Match': `"${changed.body.version}"` }
  await api.post(`${ticket}/undo`, { id: change.id }, { headers })
  await api.post(`${ticket}/undo`, { id: change.id }, { headers })
  await api.get('/contacts/email:ann@example.com/tickets')
}
