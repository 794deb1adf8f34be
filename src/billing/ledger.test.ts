import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { give } from '../../test/billing/price-list.ts'
import { type Member, makeCast, unique } from '../../test/cast.ts'
import { createDatabase } from '../../test/database.ts'
import type { Db } from '../core/db/db.ts'
import { findAccount, insertLedgerEntry, listLedgerEntries, type NewLedgerEntry } from './ledger.ts'

let db: Db
let drop: () => Promise<void>
let acme: Member
let rival: Member
before(async () => {
  ;({ db, drop } = await createDatabase())
})
beforeEach(async () => {
  ;({ acme, rival } = await makeCast(db))
})
after(() => drop())

const enter = (fields: Partial<NewLedgerEntry> = {}) =>
  db.begin(tx =>
    insertLedgerEntry(tx, acme.id, {
      amount: 1000,
      currency: 'EUR',
      cause: 'credit',
      key: unique(),
      ...fields,
    }),
  )

test('every entry has a number and the balance after it', async () => {
  await enter({ amount: 1001, by: 'olga', note: 'a gift' })
  await enter({ amount: -250, cause: 'plan', reference: 'team' })
  const entries = await listLedgerEntries(db, acme.id)
  assert.deepEqual(
    entries.map(({ seq, amount, balance_after, cause }) => [seq, amount, balance_after, cause]),
    [
      [2, -250, 751, 'plan'],
      [1, 1001, 1001, 'credit'],
    ],
  )
  assert.deepEqual(await findAccount(db, acme.id), { currency: 'EUR', balance: 751 })
  assert.equal(await findAccount(db, rival.id), null)
})

test('concurrent entries with the same key are written once', async () => {
  const key = unique()
  const booked = await Promise.all(Array.from({ length: 20 }, () => enter({ key })))
  assert.equal(booked.filter(Boolean).length, 1)
  assert.equal((await findAccount(db, acme.id))?.balance, 1000)
})

test('with concurrent entries, their sum is the balance and their numbers have no gaps', async () => {
  const amounts = Array.from({ length: 60 }, (_, at) => (at % 3 === 0 ? -700 : 450))
  await Promise.allSettled(amounts.map(amount => enter({ amount, cause: amount < 0 ? 'plan' : 'credit' })))
  const [row] = await db`
    select sum(amount) as sum, count(*) as count, max(seq) as last, min(balance_after) as least
    from balance_entries where project_id = ${acme.id}`
  const account = await findAccount(db, acme.id)
  assert.deepEqual([Number(row!.sum), row!.last], [account?.balance, row!.count])
  assert.ok(row!.least >= 0)
})

test('the database refuses to change or delete an entry or an account', async () => {
  await give(db, acme, 1000)
  const attempts = [
    'update balance_entries set amount = 1',
    'update balance_entries set note = null',
    'delete from balance_entries',
    'truncate balance_entries cascade',
    'truncate accounts cascade',
    "update accounts set currency = 'USD'",
    'delete from accounts',
    `delete from projects where id = '${acme.id}'`,
  ]
  for (const statement of attempts)
    await assert.rejects(db.unsafe(statement), /append-only|violates foreign key/, statement)
  assert.equal((await findAccount(db, acme.id))?.balance, 1000)
})

test('the database computes number and balance itself, and ignores those in the statement', async () => {
  await give(db, acme, 1000)
  await db`insert into balance_entries (project_id, seq, amount, balance_after, cause, idempotency_key)
    values (${acme.id}, 900, 5, 123456, 'credit', 'mine')`
  assert.deepEqual(
    (await listLedgerEntries(db, acme.id, 1)).map(({ seq, balance_after }) => [seq, balance_after]),
    [[2, 1005]],
  )
})

test('only a correction can make the balance negative', async () => {
  await give(db, acme, 1000)
  for (const cause of ['plan', 'refund'] as const)
    await assert.rejects(enter({ amount: -1001, cause }), /10\.00 EUR does not cover 10\.01 EUR/)
  await assert.rejects(
    db`insert into balance_entries (project_id, amount, cause, idempotency_key)
      values (${acme.id}, -1001, 'plan', 'past the rule')`,
    /does not cover/,
  )
  await enter({ amount: -1500, cause: 'correction' })
  assert.equal((await findAccount(db, acme.id))?.balance, -500)
  await enter({ amount: 100 })
  assert.equal((await findAccount(db, acme.id))?.balance, -400)
})

test('an account keeps the currency of its first entry', async () => {
  await give(db, acme, 1000)
  await assert.rejects(enter({ currency: 'USD' }), /is in EUR, not USD/)
  assert.equal((await listLedgerEntries(db, acme.id)).length, 1)
})
