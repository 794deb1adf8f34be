import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { give, startPricedServer } from '../../test/billing/price-list.ts'
import type { Member } from '../../test/cast.ts'
import { choosePlan, openProject } from './choose.ts'
import { createOffline } from './gateways/offline.ts'
import { receivePayment } from './payments.ts'
import { printReceipt } from './receipt-pdf.ts'
import { getReceipt } from './receipts.ts'
import { topUp } from './top-up.ts'

const server = await startPricedServer()
after(() => server.close())

let acme: Pick<Member, 'id'>
const seller = 'Example Ltd; 1 High Street'

beforeEach(async () => {
  const { db } = server
  acme = await db.begin(tx => openProject(tx, { name: 'Ромашка ООО', plan: 'free' }))
  const payment = await topUp(db, createOffline(''), acme.id, { amount: 5000, currency: 'EUR', by: 'olga' })
  await receivePayment(db, payment, { ...payment, by: 'olga' })
  await choosePlan(db, acme.id, 'team')
  await give(db, acme, 100)
})

const receipt = (seq: number, by = seller) => getReceipt(server.db, acme.id, seq, by)

test('a top-up has a receipt and a period of a plan an invoice, both numbered', async () => {
  const first = await receipt(1)
  const second = await receipt(2)
  assert.deepEqual([first.title, second.title, second.number - first.number], ['Receipt', 'Invoice', 1])
  assert.deepEqual([first.project_name, first.seller, first.currency], ['Ромашка ООО', seller, 'EUR'])
})

test('what was issued stays, whatever is called otherwise now', async () => {
  const issued = await receipt(1)
  await server.db`update projects set name = 'Renamed' where id = ${acme.id}`
  assert.deepEqual(await receipt(1, 'Other Ltd'), issued)
  await assert.rejects(server.db`update receipts set seller = 'x'`, /append-only/)
})

test('many at once have numbers without a gap', async () => {
  const { rows } = { rows: await server.db`select coalesce(max(number), 0)::int as last from receipts` }
  const wanted = [1, 2, 1, 2, 1, 2, 1, 2]
  const numbers = (await Promise.all(wanted.map(seq => receipt(seq)))).map(({ number }) => number)
  const last: number = rows[0]!.last
  assert.deepEqual(
    [...new Set(numbers)].sort((a, b) => a - b),
    [last + 1, last + 2],
  )
})

test('gifts and entries that do not exist have no receipt, nor has another project', async () => {
  await assert.rejects(receipt(3), /is a credit/)
  await assert.rejects(receipt(99), /has no entry 99/)
  await assert.rejects(getReceipt(server.db, server.rival.id, 1, seller), /has no entry 1/)
})

test('the PDF is the same at every print', async () => {
  const issued = await receipt(2)
  const pdf = await printReceipt(issued)
  assert.equal(pdf.subarray(0, 5).toString(), '%PDF-')
  assert.ok(pdf.includes(`(Invoice ${issued.number})`))
  assert.ok(pdf.equals(await printReceipt(issued)))
})
