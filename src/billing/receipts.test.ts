import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { give, startPricedServer } from '../../test/billing/price-list.ts'
import type { Member } from '../../test/cast.ts'
import { putBuyer } from './buyers.ts'
import { choosePlan, createProjectOnPlan } from './choose-plan.ts'
import { createOffline } from './gateways/offline.ts'
import { splitTax } from './money.ts'
import { receivePayment } from './payments.ts'
import { findFontFile, loadFonts } from './receipt-fonts.ts'
import { printReceipt } from './receipt-pdf.ts'
import { splitRuns, withMirroredCharacters } from './receipt-text.ts'
import { getReceipt } from './receipts.ts'
import { receiptLanguages, receiptTextsOf } from './texts/receipts/texts.ts'
import { topUp } from './top-up.ts'

const server = await startPricedServer()
after(() => server.close())

let acme: Pick<Member, 'id'>
const seller = 'Example Ltd; 1 High Street'

beforeEach(async () => {
  const { db } = server
  acme = await db.begin(tx => createProjectOnPlan(tx, { name: 'Ромашка ООО', plan: 'free' }))
  const payment = await topUp(db, createOffline(''), acme.id, { amount: 5000, currency: 'EUR', by: 'olga' })
  await receivePayment(db, payment, { ...payment, by: 'olga' })
  await choosePlan(db, acme.id, 'team')
  await give(db, acme, 100)
})

const tax = { name: 'VAT', percent: 19 }
const receipt = (seq: number, billingSeller = seller, billingTax: typeof tax | null = tax) =>
  getReceipt(server.db, acme.id, seq, { billingSeller, billingTax })

test('a top-up has a receipt and a plan period an invoice, both numbered', async () => {
  const first = await receipt(1)
  const second = await receipt(2)
  assert.deepEqual([first.title, second.title, second.number - first.number], ['Receipt', 'Invoice', 1])
  assert.deepEqual([first.project_name, first.seller, first.currency], ['Ромашка ООО', seller, 'EUR'])
})

test('an issued receipt does not change when the project, buyer, seller or tax changes', async () => {
  const issued = await receipt(1)
  await server.db`update projects set name = 'Renamed', default_locale = 'de' where id = ${acme.id}`
  await putBuyer(server.db, acme.id, { name: 'Other', address: 'Elsewhere', tax_number: '2' })
  assert.deepEqual(await receipt(1, 'Other Ltd', null), issued)
  await assert.rejects(server.db`update receipts set seller = 'x'`, /append-only/)
})

test('concurrent receipts have numbers without gaps', async () => {
  const { rows } = { rows: await server.db`select coalesce(max(number), 0)::int as last from receipts` }
  const wanted = [1, 2, 1, 2, 1, 2, 1, 2]
  const numbers = (await Promise.all(wanted.map(seq => receipt(seq)))).map(({ number }) => number)
  const last: number = rows[0]!.last
  assert.deepEqual(
    [...new Set(numbers)].sort((a, b) => a - b),
    [last + 1, last + 2],
  )
})

test("there is no receipt for a credit, for a missing entry, or for another project's entry", async () => {
  await assert.rejects(receipt(3), /is a credit/)
  await assert.rejects(receipt(99), /has no entry 99/)
  await assert.rejects(
    getReceipt(server.db, server.rival.id, 1, { billingSeller: seller, billingTax: null }),
    /has no entry 1/,
  )
})

test('an invoice has the plan, the buyer and the included tax; a top-up has no tax', async () => {
  const buyer = { name: 'Romashka LLC', address: '2 Low Street\nMoscow', tax_number: 'VAT 2' }
  await putBuyer(server.db, acme.id, buyer)
  const [first, second] = [await receipt(1), await receipt(2)]
  assert.deepEqual([second.plan_name, second.buyer, second.tax, second.locale], ['Team', buyer, tax, 'en'])
  assert.deepEqual([first.plan_name, first.tax], [null, null])
})

test('net and tax add up to the price, in the decimals of the currency', () => {
  assert.deepEqual(splitTax(2900, 'EUR', 19), { net: 2437, tax: 463 })
  assert.deepEqual(splitTax(50_000, 'JPY', 10), { net: 45_500, tax: 4_500 })
})

test('every character of a receipt has a font, in every language', async () => {
  const names =
    '株式会社サンプル 客服中心有限公司 주식회사 שלום شركة المثال บริษัท उदाहरण উদাহরণ தமிழ் Łódź Việt Ελλάς Ромашка'
  for (const locale of ['zh-Hant', 'ja', 'ko', 'ar'])
    for (const char of names) assert.ok(findFontFile(char, locale), `${char} in ${locale}`)
  for (const locale of receiptLanguages)
    for (const char of Object.values(receiptTextsOf(locale).texts).join(''))
      assert.ok(findFontFile(char, locale), `${char} in ${locale}`)
})

test('text from right to left is drawn in its visual order, with mirrored brackets', async () => {
  const line = 'שלום (עולם) 12'
  const fonts = await loadFonts(withMirroredCharacters(line), 'he')
  assert.deepEqual(
    splitRuns(line, fonts)
      .map(({ text }) => text.trim())
      .filter(Boolean),
    ['12', '(', 'עולם', ')', 'שלום'],
  )
})

test('the PDF of an Arabic project declares its language', async () => {
  await server.db`update projects set default_locale = 'ar', name = 'شركة المثال' where id = ${acme.id}`
  const pdf = await printReceipt(await receipt(2))
  assert.ok(pdf.includes('/Lang (ar)'))
})

test('the PDF has the same bytes every time', async () => {
  const issued = await receipt(2)
  const pdf = await printReceipt(issued)
  assert.equal(pdf.subarray(0, 5).toString(), '%PDF-')
  assert.ok(pdf.includes(`(Invoice ${issued.number})`))
  assert.ok(pdf.equals(await printReceipt(issued)))
})
