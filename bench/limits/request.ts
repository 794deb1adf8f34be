import { connect, type DatabaseTarget } from '../../src/core/db/db.ts'
import { createKey } from '../../src/keys/keys.ts'
import { createProject } from '../../src/projects/projects.ts'
import { openCaller } from '../calls.ts'

/** The bytes of a request that reads a ticket of a new project. */
export async function makeRequest(target: DatabaseTarget, port: number): Promise<string> {
  const db = connect(target, { max: 1 })
  const { id } = await createProject(db, { name: 'Bench' })
  const { key } = await createKey(db, id, 'Bench')
  await db.end()
  const caller = openCaller(`http://127.0.0.1:${port}`, key)
  const { text } = await caller.call('POST', '/tickets', { contact: { email: 'ann@example.com' } })
  caller.close()
  const path = `/api/v1/tickets/${JSON.parse(text).id}`
  return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\n\r\n`
}
