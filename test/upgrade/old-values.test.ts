import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { migrate } from '../../src/core/db/migrate.ts'
import { type SystemKind, systemTexts } from '../../src/tickets/system-texts.ts'
import { deleteOrigin, files, log, makeOld } from './versions.ts'

after(deleteOrigin)

test('each file of rows belongs to a migration', () => {
  const known = new Set(files.map(name => name.slice(0, 4)))
  const rows = readdirSync(join(import.meta.dirname, 'rows'))
  assert.deepEqual(
    rows.filter(name => !known.has(name.slice(0, 4))),
    [],
  )
})

test('system messages of older versions have every value that their texts need', async t => {
  const db = await makeOld(t, files.filter(name => name < '0061').length)
  await migrate(db, log)
  const rows = await db<{ system: { kind: SystemKind; data: never } }[]>`
    select system from messages where sender_type = 'system' order by id`
  assert.deepEqual(
    rows.map(({ system: { kind, data } }) => systemTexts[kind](data)),
    [
      'Ticket closed because the contact did not reply',
      'Merged into #2',
      'Ticket closed',
      '#2 was merged into this ticket',
      'Olga undid the merge with #2',
      'Olga took the ticket over from a former operator',
      'Olga took the ticket over from Olga',
      'Olga moved the ticket to Support and assigned it to Olga',
      'Olga moved the ticket to Support',
    ],
  )
})

test('reasons that an older version stored as sentences become values', async t => {
  const db = await makeOld(t, files.filter(name => name < '0063').length)
  await migrate(db, log)
  const exports = await db<{ reason: string | null }[]>`
    select reason from exports where id::text like '%62__' order by id`
  assert.deepEqual(
    exports.map(({ reason }) => reason),
    ['storage_full', 'not_written', null],
  )
  const mails = await db<{ data: object }[]>`
    select data from billing_mails where kind = 'payment_disputed' order by id desc limit 1`
  assert.deepEqual(mails[0]!.data, { order_id: 'order-2', arrived: '49.99 EUR', ordered: '50.00 EUR' })
})
