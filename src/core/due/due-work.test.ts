import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { createPlace } from '../../../test/database.ts'
import { transact } from '../../events/transaction.ts'
import type { Sql } from '../db/db.ts'
import { listDue, noteDue, postpone } from './due-work.ts'

const { db, projectId, drop } = await createPlace()
after(drop)
beforeEach(() => db`delete from due_work`)

const subject = { project_id: projectId, subject_id: projectId }
const note = (sql: Sql, at: string | null = null) => sql`${noteDue(sql, projectId, 'messages', at)}`

/** Milliseconds until the work is due; null if it has no row. */
async function readWait(): Promise<number | null> {
  const [row] = await listDue(db, ['messages'], 1_000_000_000)
  return row?.wait ?? null
}

/** This test's own table of waiting work. */
await db`create table waiting_work (due_at timestamptz not null)`
const next = (sql: Sql) => sql`(select min(due_at) from waiting_work)`
beforeEach(() => db`delete from waiting_work`)

test('keeps the earliest due time', async () => {
  await note(db, '2999-01-01')
  await note(db)
  await note(db, '2998-01-01')
  assert.ok((await readWait())! <= 0)
})

test('a transaction that fails records no due work', async () => {
  await assert.rejects(
    transact(db, projectId, async tx => {
      tx.noteDue('messages')
      throw new Error('broken')
    }),
  )
  assert.equal(await readWait(), null)
  await transact(db, projectId, async tx => tx.noteDue('messages'))
  assert.ok((await readWait())! <= 0)
})

test('deletes the row when no work is waiting, and postpones it when the work is due later', async () => {
  await note(db)
  await db`insert into waiting_work values (now() + interval '1 hour'), (now() + interval '2 hours')`
  await postpone(db, 'messages', [subject], next)
  assert.ok(Math.abs((await readWait())! - 3_600_000) < 60_000)
  await db`delete from waiting_work`
  await postpone(db, 'messages', [subject], next)
  assert.equal(await readWait(), null)
})

test('does not postpone work that is still due or is being written', async () => {
  await note(db)
  await db`insert into waiting_work values (now())`
  await postpone(db, 'messages', [subject], next)
  assert.ok((await readWait())! <= 0)
  await db`delete from waiting_work`
  await db.begin(async tx => {
    await tx`set local idle_in_transaction_session_timeout = 0`
    await tx`insert into waiting_work values (now())`
    await note(tx as never)
    await postpone(db, 'messages', [subject], next)
  })
  assert.ok((await readWait())! <= 0)
})

test('with concurrent writes and postponing, all work has a row', async () => {
  let isDone = false
  const write = async () => {
    for (let turn = 0; turn < 60; turn++) {
      await db.begin(async tx => {
        await tx`insert into waiting_work values (now())`
        await note(tx as never)
      })
    }
  }
  const putOff = async () => {
    while (!isDone) {
      await db`delete from waiting_work`
      await postpone(db, 'messages', [subject], next)
    }
  }
  const puttingOff = [putOff(), putOff()]
  await Promise.all([1, 2, 3, 4].map(write))
  isDone = true
  await Promise.all(puttingOff)
  await db`delete from waiting_work`
  await postpone(db, 'messages', [subject], next)
  assert.equal(await readWait(), null)
  for (let round = 0; round < 40; round++) {
    await note(db)
    await db`delete from waiting_work`
    const one = db.begin(async tx => {
      await tx`insert into waiting_work values (now())`
      await note(tx as never)
    })
    await Promise.all([one, postpone(db, 'messages', [subject], next)])
    assert.ok((await readWait()) !== null, `round ${round}`)
  }
})
