import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { unique } from '../../test/cast.ts'
import { startServer } from '../../test/server.ts'
import { until } from '../../test/until.ts'
import { ApiError } from '../core/errors.ts'
import { findImport } from '../imports/imports.ts'
import { createStorages } from '../media/media.ts'
import type { ImportContext, Importer } from './importer.ts'
import { repeatWhileBusy } from './repeat-while-busy.ts'
import { runImport } from './run-import.ts'

const server = await startServer({ delivers: false })
const { db, acme, log } = server
after(() => server.close())

const source = 'archive'
const { signal } = new AbortController()

const makeContext = (more: Partial<ImportContext>): ImportContext => ({
  ...{ db, log, storages: createStorages(server), projectId: acme.id, source, dryRun: false, signal },
  tell: () => {},
  ...more,
})

const oneContact: Importer = {
  total: null,
  async *read() {
    yield { kind: 'contact', item: { source_id: unique(), email: `${unique()}@example.com` } }
  },
}

/** Ends the statement that waits for the lock, unless the statement timeout has done so on a busy machine. */
const endWaiting = (hasEnded: () => boolean) =>
  until(async () => {
    if (hasEnded()) return true
    const { count } = await db`
      select pg_cancel_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    return count > 0
  })

test('an import waits for another one with the same name, and then continues', async () => {
  const context = makeContext({})
  await runImport(context, oneContact, () => {})
  const told: string[] = []
  const pauses: number[] = []
  const held = Promise.withResolvers<void>()
  const free = Promise.withResolvers<void>()
  const other = db.begin(async sql => {
    await sql`set local idle_in_transaction_session_timeout = 0`
    await sql`select from imports where project_id = ${acme.id} and source = ${source} for update`
    held.resolve()
    await free.promise
  })
  await held.promise
  const wait = async (ms: number) => {
    pauses.push(ms)
    free.resolve()
    await other
  }
  const imported = runImport({ ...context, tell: line => told.push(line), wait }, oneContact, () => {})
  await endWaiting(() => pauses.length > 0)
  assert.equal((await imported).contacts.created, 1)
  assert.deepEqual(pauses, [5_000])
  assert.match(told.join(), /^Waiting for another program/)
  assert.equal((await findImport(db, acme.id, source))!.contacts, 2)
})

test('an import that waits in vain ends after some repetitions and says what to do', async () => {
  let [calls, pauses] = [0, 0]
  const wait = async () => {
    pauses++
  }
  const busy = async () => {
    calls++
    throw new ApiError('RATE_LIMIT_EXCEEDED', { retry_after: 5, reason: 'import_busy' })
  }
  await assert.rejects(repeatWhileBusy({ signal, tell: () => {}, wait }, busy), /run the same command again$/)
  assert.deepEqual([calls, pauses], [13, 12])
})

test('other errors are not repeated', async () => {
  let calls = 0
  const removing = async () => {
    calls++
    throw new ApiError('IMPORT_REMOVING')
  }
  await assert.rejects(repeatWhileBusy({ signal, tell: () => {} }, removing), { code: 'IMPORT_REMOVING' })
  assert.equal(calls, 1)
})
