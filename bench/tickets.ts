import { createKey } from '../src/keys/keys.ts'
import { createProject } from '../src/projects/projects.ts'
import { openCaller } from './calls.ts'
import { openDataDir } from './data.ts'

export const content =
  'The parcel of my order has not arrived yet, and the page that should show where it is stays empty. '.repeat(
    2,
  )

/** Creates projects with a key each, and their tickets over HTTP. */
export async function makeTickets(dataDir: string, url: string, projects: number, count: number) {
  const database = await openDataDir(dataDir, 4)
  const { db } = database
  const tickets: { id: string; projectId: string; key: string }[] = []
  let body = ''
  for (let p = 0; p < projects; p++) {
    const { id: projectId } = await createProject(db, { name: 'Bench' })
    const { key } = await createKey(db, projectId, 'Bench')
    const caller = openCaller(url, key)
    for (let n = 0; n < count / projects; n++) {
      const contact = { email: `person${n % 200}@mail.example`, full_name: `Person ${n % 200}` }
      const { text } = await caller.call('POST', '/tickets', { contact, subject: 'Where is it?', content })
      tickets.push({ id: JSON.parse(text).id, projectId, key })
      body = text
    }
    caller.close()
  }
  // Autovacuum would do this within a minute, at a time that would affect the figures.
  await db`vacuum analyze`
  return { ...database, tickets, body }
}

export const printRequest = (method: string, path: string, key: string, body = ''): string =>
  [
    `${method} /api/v1${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    `Authorization: Bearer ${key}`,
    ...(body ? ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`] : []),
    '',
    body,
  ].join('\r\n')
