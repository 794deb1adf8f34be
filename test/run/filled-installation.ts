import type { TestContext } from 'node:test'
import { createClient } from '../client.ts'
import { keyOf, makeDataDir, type Program, startServer } from './program.ts'

export async function upload(server: Program, key: string, text: string) {
  const body = new FormData()
  body.set('file', new Blob([text], { type: 'text/plain' }), 'note.txt')
  const headers = { authorization: `Bearer ${key}` }
  const answer = await fetch(`${server.url}/api/v1/media/upload`, { method: 'POST', headers, body })
  return (await answer.json()) as { id: string }
}

/** Starts a server with a ticket, a file and a webhook. */
export async function makeInstallation(t: TestContext) {
  const DATA_DIR = makeDataDir(t)
  const server = await startServer(t, { DATA_DIR })
  const key = keyOf(server)
  const api = createClient(`${server.url}/api/v1`, key)
  await api.post('/webhooks', { url: 'http://127.0.0.1:9/', events: ['ticket.created'] })
  const media = await upload(server, key, 'what the customer sent')
  const content = 'Tab\tand\\backslash, \u{1F600}\nsecond line'
  const { body } = await api.post('/tickets', { contact: { email: 'ann@example.com' }, content })
  await api.post(`/tickets/${body.id}/messages`, { content, media_ids: [media.id] })
  return { DATA_DIR, server, key, api, mediaId: media.id }
}
