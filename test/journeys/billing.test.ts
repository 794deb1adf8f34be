import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { getPayment, receivePayment } from '../../src/billing/payments.ts'
import { give, putPlans } from '../billing/price-list.ts'
import { useDashboard } from '../dashboard.ts'
import { needs } from '../needs.ts'

const chromium = needs('chromium')

const dashboard = useDashboard(async ({ server }) => {
  await putPlans(server.db)
  await server.db`update projects set plan = 'free' where id = ${server.acme.id}`
})
const { olga } = dashboard

const read = async () => (await olga.api.get('/billing')).body

async function goTo(button = 'Choose Team'): Promise<Page> {
  const page = await dashboard.open(olga)
  await page.goto(`/p/${dashboard.server.acme.id}/settings/billing`)
  await page.getByRole('button', { name: button }).waitFor()
  return page
}

const cellOf = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('row', { name }).getByRole('cell').textContent()

/** Every title that the dialog shows until it has disappeared. */
async function titlesWhile(page: Page, close: () => Promise<void>): Promise<string[]> {
  await page.evaluate(`{
    const seen = window.seenTitles = new Set()
    const note = () => {
      const title = document.querySelector('[role=dialog] h2')?.textContent
      if (title) seen.add(title)
    }
    note()
    new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true })
  }`)
  await close()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  return page.evaluate<string[]>('[...window.seenTitles]')
}

test('shows how much the balance is short of a plan, and offers no confirmation', chromium, async () => {
  const page = await goTo()
  await page.getByRole('button', { name: 'Choose Team' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('You’re €29.00 short. Top up first.').waitFor()
  assert.equal(await dialog.getByRole('button', { name: 'Choose Team' }).count(), 0)
  assert.equal(await cellOf(page, 'Price'), '€29.00')
  const seen = await titlesWhile(page, () => dialog.getByRole('button', { name: 'Cancel' }).click())
  assert.deepEqual(seen, ['Choose Team?'], 'the title stays until the dialog is gone')
})

test('charges only after showing amount, balance and end date, and being confirmed', chromium, async () => {
  await give(dashboard.server.db, dashboard.server.acme, 10_000)
  const page = await goTo()
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Choose Team' }).click()
  await dialog.getByText('This takes effect right away.').waitFor()
  assert.deepEqual(
    [await cellOf(page, 'Deducted from balance'), await cellOf(page, 'Balance after')],
    ['€29.00', '€71.00'],
  )
  assert.match((await cellOf(page, 'Paid until')) ?? '', /\d/)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'hidden' })
  assert.equal((await read()).plan, 'free')
  await page.getByRole('button', { name: 'Choose Team' }).click()
  await dialog.getByRole('button', { name: 'Choose Team' }).click()
  await page.getByText('Balance: €71.00').waitFor()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByText(/^Team renews on .* for €29\.00\. Your balance will be €42\.00\.$/).waitFor()
  assert.equal(await page.getByRole('button', { name: /Team/ }).count(), 0, 'the current plan has no button')

  await page.getByRole('button', { name: 'Renew now' }).click()
  await dialog.getByRole('heading', { name: 'Renew Team now?' }).waitFor()
  assert.equal((await read()).balance, 71)
  await dialog.getByRole('button', { name: 'Renew now' }).click()
  await page.getByText('Balance: €42.00').waitFor()
})

test('shows without a reload whether a payment has arrived', chromium, async () => {
  const { server } = dashboard
  const { order_id } = (await olga.api.post('/billing/top-ups', { amount: '50' })).body
  const page = await dashboard.open(olga)
  const address = `/p/${server.acme.id}/settings/billing`
  await page.goto(`${address}?cancelled=${order_id}`)
  await page.getByText('Payment cancelled. You weren’t charged.').waitFor()
  await page.goto(`${address}?paid=${order_id}`)
  await page.getByText('Thank you. We’ll add €50.00 to your balance when the payment is confirmed.').waitFor()
  const payment = await getPayment(server.db, order_id)
  await receivePayment(server.db, payment, { ...payment, by: 'stripe' })
  await page.getByText('Thank you. We’ve added €50.00 to your balance.').waitFor()
})

test('saves the invoice details that an owner enters', chromium, async () => {
  const page = await goTo('Renew now')
  await page.getByLabel('Name', { exact: true }).fill('Acme Ltd')
  await page.getByLabel('Address').fill('2 Low Street\nLondon')
  await page.getByLabel('Tax number').fill('VAT 2')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  assert.deepEqual((await read()).buyer, {
    name: 'Acme Ltd',
    address: '2 Low Street\nLondon',
    tax_number: 'VAT 2',
  })
  await page.reload()
  await page.getByRole('button', { name: 'Save' }).waitFor()
  assert.equal(await page.getByLabel('Tax number').inputValue(), 'VAT 2')
})
