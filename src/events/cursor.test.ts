import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { type Member, makeCast } from '../../test/cast.ts'
import { createDatabase } from '../../test/database.ts'
import { until } from '../../test/until.ts'
import { append } from '../../test/updates.ts'
import type { Sql } from '../core/db/db.ts'
import { startDueLoop } from '../core/due/due-loop.ts'
import { newId } from '../core/ids.ts'
import { createLog } from '../core/telemetry/log.ts'
import { describeLogReaders } from '../doctor/log-readers.ts'
import { createReaderJob, type LogReader, readLogPage } from './cursor.ts'
import { type FollowedEvent, listReaderLags } from './cursor-queries.ts'
import { deleteOldEvents } from './retention.ts'
import { retryTickets } from './set-aside.ts'

const { db, drop } = await createDatabase()
const { acme, rival } = await makeCast(db)
after(drop)

// What the test's reader has written, in the order in which it was written.
await db`create table handled (n bigint generated always as identity, project_id uuid, seq bigint, ticket_id uuid)`

beforeEach(async () => {
  for (const table of ['handled', 'events', 'log_cursors', 'log_failures']) await db`delete from ${db(table)}`
})

/** The reader fails for these tickets. */
const refused = new Set<string>()

const reader: LogReader = {
  name: 'facts',
  async handle(sql: Sql, projectId: string, events: readonly FollowedEvent[]) {
    for (const { seq, ticket_id } of events) {
      if (ticket_id && refused.has(ticket_id)) throw new Error(`refused ${ticket_id}`)
      await sql`insert into handled (project_id, seq, ticket_id) values (${projectId}, ${seq}, ${ticket_id})`
    }
  },
}

const listHandled = async (project: Member = acme) => {
  const rows = await db<
    { seq: number }[]
  >`select seq from handled where project_id = ${project.id} order by n`
  return rows.map(({ seq }) => seq)
}

const listSeqs = async (project: Member = acme) => {
  const rows = await db<
    { seq: number }[]
  >`select seq from events where project_id = ${project.id} order by seq`
  return rows.map(({ seq }) => seq)
}

const readAll = async (project: Member = acme) => {
  for (let count = 1; count > 0; ) count = await readLogPage(db, project.id, reader)
}

/** Adds an event for each of these tickets. */
async function appendFor(...tickets: string[]): Promise<void> {
  for (const id of tickets) {
    const last = await append(db, acme)
    const data = JSON.stringify({ ticket_id: id })
    await db`update events set data = ${data}::text::json where project_id = ${acme.id} and seq = ${last}`
  }
}

const readFailing = () => assert.rejects(readLogPage(db, acme.id, reader), /refused/)

test('a reader handles each event once, in order, and each project separately', async () => {
  await append(db, acme, 1_100)
  await append(db, rival, 3)
  await readAll()
  assert.deepEqual(await listHandled(), await listSeqs())
  assert.deepEqual(await listHandled(rival), [])
  await append(db, acme, 2)
  await readAll()
  assert.deepEqual(await listHandled(), await listSeqs())
})

test('with two processes, each event is handled once and the order is kept', async () => {
  await append(db, acme, 700)
  let isDone = false
  const read = async () => {
    while (!isDone) await readLogPage(db, acme.id, reader)
  }
  const reading = [read(), read(), read()]
  for (let count = 0; count < 40; count++) await append(db, acme, 10)
  await until(async () => (await listHandled()).length === 1_100)
  isDone = true
  await Promise.all(reading)
  assert.deepEqual(await listHandled(), await listSeqs())
})

test('what is written for a page is rolled back together with the cursor', async () => {
  const bad = newId()
  await appendFor(newId(), bad)
  refused.add(bad)
  await readFailing()
  assert.deepEqual(await listHandled(), [])
  refused.clear()
  await readAll()
  assert.deepEqual(await listHandled(), await listSeqs())
  assert.equal((await db`select from log_failures`).count, 0)
})

test('a ticket that fails three times is set aside, and an hour later it is retried from where it failed', async () => {
  const [bad, good] = [newId(), newId()]
  await appendFor(good, bad, good)
  refused.add(bad)
  for (const _ of [1, 2, 3]) await readFailing()
  await readAll()
  await appendFor(bad, good)
  await readAll()
  const [first, second, third, fourth, fifth] = await listSeqs()
  assert.deepEqual(await listHandled(), [first, third, fifth])
  await assert.rejects(describeLogReaders(db, true), new RegExp(`facts: ticket ${bad} of Acme \\(refused`))
  assert.equal((await listReaderLags(db, ['facts']))[0]!.set_aside, 1)
  assert.equal(await retryTickets(db, reader), 0)
  await db`update log_failures set failed_at = now() - interval '61 minutes'`
  assert.equal(await retryTickets(db, reader), 0)
  refused.clear()
  await db`update log_failures set failed_at = now() - interval '61 minutes'`
  assert.equal(await retryTickets(db, reader), 1)
  assert.deepEqual(await listHandled(), [first, third, fifth, second, fourth])
  assert.equal(await describeLogReaders(db, true), 'all events are read')
})

test('no ticket is set aside if all tickets of a page fail', async () => {
  const tickets = [newId(), newId()]
  await appendFor(...tickets)
  for (const id of tickets) refused.add(id)
  for (const _ of [1, 2, 3, 4]) await readFailing()
  assert.equal((await db`select from log_failures`).count, 0)
  refused.clear()
  await readAll()
  assert.deepEqual(await listHandled(), await listSeqs())
})

test('events that a reader has not read stay in the log, and a reader that is days behind loses nothing', async () => {
  await append(db, acme, 30)
  await append(db, rival, 2)
  await readAll(rival)
  const all = await listSeqs()
  await db`insert into log_cursors (project_id, reader, seq) values (${acme.id}, 'facts', ${all[9]!})`
  await db`update events set created_at = now() - interval '16 days' + seq * interval '1 second'`
  const retention = { eventRetention: 14 * 86_400_000, readers: ['facts'] }
  while ((await deleteOldEvents(db, retention, 4)) > 0);
  assert.deepEqual(await listSeqs(), all.slice(10))
  assert.deepEqual(await listSeqs(rival), [])
  const [lag] = await listReaderLags(db, ['facts'])
  assert.deepEqual([lag!.events, Math.round(lag!.seconds / 86_400)], [20, 16])
  await assert.rejects(describeLogReaders(db, true), /facts has 20 unread events, the oldest for 230\d\d min/)
  assert.equal(await describeLogReaders(db, false), 'unread: 20')
  await readAll()
  assert.deepEqual(await listHandled(), all.slice(10))
  while ((await deleteOldEvents(db, retention)) > 0);
  assert.deepEqual(await listSeqs(), [])
})

test('a project that no reader has read yet loses no events', async () => {
  await append(db, acme, 3)
  await db`update events set created_at = now() - interval '20 days'`
  assert.equal(await deleteOldEvents(db, { eventRetention: 1, readers: ['facts'] }), 0)
  assert.equal((await listSeqs()).length, 3)
})

test('the job finds projects with unread events', async () => {
  await append(db, acme, 3)
  await append(db, rival, 2)
  const loop = startDueLoop({ db, log: createLog('silent') }, [createReaderJob(reader)])
  await until(async () => (await db`select from handled`).count === 5)
  await loop.stop()
  assert.deepEqual(await listHandled(rival), await listSeqs(rival))
})
