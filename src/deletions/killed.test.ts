import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { makeMessage, makeTicket } from '../../test/cast.ts'
import { addressOf } from '../../test/database.ts'
import { run } from '../../test/run/program.ts'
import { startServer, type TestServer } from '../../test/server.ts'
import { until } from '../../test/until.ts'
import { root } from '../core/config/config.ts'
import { createStorages } from '../media/media.ts'
import { createDeletions } from './delete-project.ts'

let server: TestServer
before(async () => {
  server = await startServer({ delivers: false })
})
after(() => server.close())

/** Enough that the deletion takes several steps. */
const messages = 6_000

async function fill(projectId: string): Promise<void> {
  const ticket = await makeTicket(server.api)
  await makeMessage(server.api, ticket.id)
  await server.db`
    insert into messages (project_id, id, ticket_id, sender_type, content, content_format, channel, delivery_updated_at, created_at)
    select project_id, uuid_v7(), ticket_id, sender_type, content, content_format, channel, delivery_updated_at, created_at
    from (select * from messages where project_id = ${projectId} limit 1) m, generate_series(1, ${messages})`
}

const count = async (table: string, projectId: string): Promise<number> =>
  (
    await server.db`select count(*)::int as count from ${server.db(table)} where project_id = ${projectId}`
  )[0]!.count

/** Starts a deletion, and kills its process when some of the messages are deleted. It cannot delete the last one, which is locked until then. */
async function breakOff(projectId: string): Promise<void> {
  const settings = { DATABASE_URL: addressOf(server.target), DATA_DIR: server.config.dataDir }
  const [project] = await server.db`select slug from projects where id = ${projectId}`
  const words = ['project', 'delete', project!.slug, '--yes', project!.slug]
  await server.db.begin(async tx => {
    await tx`set local idle_in_transaction_session_timeout = 0`
    await tx`select from messages where project_id = ${projectId} order by id desc limit 1 for update`
    const { child, ended } = run(process.execPath, [join(root, 'src/cli/main.ts'), ...words], settings)
    await until(async () => (await count('messages', projectId)) < messages)
    child.kill('SIGKILL')
    await ended
  })
}

test('the server continues a deletion whose process was killed, and touches no other project', async () => {
  const { acme, rival, db, log } = server
  const other = await makeTicket(server.outsider)
  await fill(acme.id)
  await breakOff(acme.id)
  assert.ok((await count('messages', acme.id)) > 0)
  assert.equal((await server.api.get('/project')).status, 401)
  const rows = await Promise.all(['tickets', 'messages', 'events'].map(name => count(name, rival.id)))

  const deletion = createDeletions({ storages: createStorages(server), log })
  await db`update projects set deleting_since = now() - interval '1 minute' where id = ${acme.id}`
  await until(async () => {
    await deletion(db, acme.id)
    return (await db`select from projects where id = ${acme.id}`).length === 0
  })
  assert.equal(await count('messages', acme.id), 0)
  assert.deepEqual(
    await Promise.all(['tickets', 'messages', 'events'].map(name => count(name, rival.id))),
    rows,
  )
  assert.equal((await server.outsider.get(`/tickets/${other.id}`)).status, 200)
})
