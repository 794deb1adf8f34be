import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeCast } from '../cast.ts'
import { createClient } from '../client.ts'
import { addressOf, createDatabase } from '../database.ts'
import { importItems, importSource, oldTicket } from '../imports.ts'
import { until } from '../until.ts'
import { makeFolder, startServer, stopServer } from './program.ts'

const path = `/import/${importSource}`

test('a removal that is interrupted by kill -9 continues when the server starts again', async t => {
  const { db, target, drop } = await createDatabase()
  t.after(drop)
  const { acme } = await makeCast(db)
  const settings = { DATABASE_URL: addressOf(target), DATA_DIR: makeFolder(t) }
  const start = async () => {
    const program = await startServer(t, settings)
    return { program, api: createClient(`${program.url}/api/v1`, acme.key.key) }
  }
  const killed = await start()
  for (const part of ['a', 'b']) {
    const tickets = Array.from({ length: 100 }, (_, at) => oldTicket({ source_id: `${part}${at}` }))
    await importItems(killed.api, 'tickets', tickets)
  }
  await db.begin(async sql => {
    await sql`set local idle_in_transaction_session_timeout = 0`
    // The removal of the second half waits for this lock.
    await sql`
      select from tickets where id = (select record_id from imported_records where kind = 'ticket' and source_id = 'b0') for update`
    assert.equal((await killed.api.request('DELETE', path)).status, 202)
    await until(async () => (await killed.api.get(path)).body.tickets === 100)
    await stopServer(killed.program, 'SIGKILL')
  })
  const { program, api } = await start()
  await until(async () => (await api.get(path)).status === 404)
  assert.equal((await db`select from tickets where project_id = ${acme.id}`).count, 0)
  await stopServer(program)
})
