import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { helpPath } from '../../src/knowledge/knowledge.ts'
import { putPlans } from '../billing/price-list.ts'
import { listAccessibilityViolations, untilHolds } from '../browser.ts'
import { makeTicket } from '../cast.ts'
import { createClient } from '../client.ts'
import { useDashboard } from '../dashboard.ts'
import { typeKeys, untilFormatted } from '../editor.ts'
import { needs } from '../needs.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import { tabTo } from '../tab-to.ts'
import { until } from '../until.ts'

const chromium = needs('chromium')

const dashboard = useDashboard(undefined, { delivers: true })
const { olga } = dashboard

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

/** The page has several forms; this saves the one about the project. */
const saveProject = (page: Page) =>
  page
    .locator('form', { has: page.getByRole('combobox', { name: 'Main language' }) })
    .getByRole('button', { name: 'Save' })
    .click()

/** Also waits until it is saved. From before the click, because the message disappears after four seconds. */
const untilProjectSaved = (page: Page): Promise<unknown> =>
  Promise.all([page.getByText('Saved', { exact: true }).waitFor(), saveProject(page)])

async function goTo(name: string, options = {}): Promise<Page> {
  const page = await dashboard.open(olga, options)
  await page.goto(`/p/${dashboard.server.acme.id}/settings/${name}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

test('finds a page of the settings by another word, by keyboard alone', chromium, async () => {
  const page = await goTo('people')
  const list = page.getByRole('navigation', { name: 'Settings' })
  const field = list.getByRole('searchbox', { name: 'Find a setting' })
  await field.fill('macros')
  await list.getByRole('link', { name: 'People' }).waitFor({ state: 'detached' })
  assert.deepEqual(await list.getByRole('link').allInnerTexts(), ['Canned replies'])
  assert.deepEqual(await listAccessibilityViolations(page), [])
  await field.press('Enter')
  await page.getByRole('heading', { name: 'Canned replies', level: 1 }).waitFor()
  await field.fill('nothing like this')
  await list.getByText('No results').waitFor()
})

test('the search of the settings also finds what is in the account', chromium, async () => {
  const page = await goTo('people')
  const list = page.getByRole('navigation', { name: 'Settings' })
  assert.equal(await list.getByRole('link', { name: 'Appearance' }).count(), 0)
  await list.getByRole('searchbox', { name: 'Find a setting' }).fill('dark theme')
  assert.deepEqual(await list.getByRole('link').allInnerTexts(), ['Appearance'])
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Appearance', level: 1 }).waitFor()
})

test('lists the pages of the settings in groups, which a phone has in one field', chromium, async () => {
  const page = await goTo('people', { viewport: { width: 1280, height: 900 } })
  const list = page.getByRole('navigation', { name: 'Settings' })
  const groups = ['Team', 'Channels', 'Customers', 'Developers', 'Billing and data']
  for (const name of groups) {
    const pages = list.getByRole('region', { name, exact: true }).getByRole('link')
    assert.ok((await pages.count()) >= 3, name)
  }
  await tabTo(page, 'Webhooks', 'link')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor()
  await page.setViewportSize({ width: 360, height: 740 })
  const choice = page.getByRole('combobox', { name: 'Settings' })
  assert.equal(await choice.locator('optgroup').count(), groups.length)
  await choice.selectOption('Tags')
  await page.getByRole('heading', { name: 'Tags', level: 1 }).waitFor()
})

test('creates an API key that works until it is turned off', chromium, async () => {
  const page = await goTo('keys')
  await press(page, 'Create key')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await dialog.getByText('Enter a name.').waitFor()
  await dialog.getByLabel('Name').fill('Online shop')
  await dialog.getByRole('button', { name: 'Create key' }).click()
  const key = await dialog.getByLabel('Key', { exact: true }).inputValue()
  assert.match(await dialog.getByLabel('Try it', { exact: true }).inputValue(), new RegExp(`^curl .*${key}`))
  const caller = createClient(dashboard.server.url, key)
  assert.equal((await caller.get('/project')).status, 200)
  await page.keyboard.press('Escape')
  await press(page, 'I’ve saved it')
  await dialog.waitFor({ state: 'hidden' })
  await page.getByText('Online shop').waitFor()
  assert.ok(!(await page.content()).includes(key))
  const works = page.getByRole('switch', { name: 'Online shop is active' })
  await works.press('Space')
  await page.getByText('Turned off').waitFor()
  assert.equal((await caller.get('/project')).status, 401)
  await works.press('Space')
  await page.getByText('Turned off').waitFor({ state: 'hidden' })
  assert.equal((await caller.get('/project')).status, 200)
})

async function addWebhook(page: Page, receiver: Receiver): Promise<void> {
  await press(page, 'Add webhook')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('URL').fill(receiver.url)
  await dialog.getByRole('switch', { name: 'All events' }).click()
  await dialog.getByRole('checkbox', { name: 'ticket.created', exact: true }).check()
  await dialog.getByRole('button', { name: 'Add webhook' }).click()
  assert.match(await dialog.getByLabel('Secret', { exact: true }).inputValue(), /^[0-9a-f]{64}$/)
  await page.keyboard.press('Escape')
  await press(page, 'I’ve saved it')
  await page.getByRole('link', { name: receiver.url }).click()
  await page.getByRole('heading', { name: 'Delivery log' }).waitFor()
}

test('creates a webhook that receives events, and tests and redelivers it', chromium, async t => {
  let status = 200
  const receiver = await startReceiver(() => ({ status, body: status === 200 ? 'thank you' : 'not now' }))
  t.after(() => receiver.close())
  const page = await goTo('webhooks')
  await addWebhook(page, receiver)
  await press(page, 'Send test')
  await page.getByText(/^Delivered in/).waitFor()
  await page.getByRole('region', { name: 'Test response' }).getByText('thank you').waitFor()
  await makeTicket(dashboard.server.api)
  await receiver.waitFor(2)
  status = 500
  await press(page, 'Send test')
  await page.getByText('Not delivered: status 500').waitFor()
  await page.getByRole('region', { name: 'Test response' }).getByText('not now').waitFor()
  status = 200
  await page.getByRole('button', { name: /^ticket.created/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('X-Webhook-Signature: sha256=').waitFor()
  await dialog.getByRole('region', { name: 'Body' }).getByText('"ticket.created"').waitFor()
  assert.deepEqual(await listAccessibilityViolations(page), [])
  await dialog.getByRole('button', { name: 'Redeliver' }).click()
  await receiver.waitFor(4)
  const [first, last] = [receiver.requests[1]!, receiver.requests[3]!]
  assert.equal(last.body.toString(), first.body.toString())
  assert.notEqual(last.headers['x-webhook-id'], first.headers['x-webhook-id'])
})

test('shows that a webhook was turned off, and turns it on again', chromium, async t => {
  const receiver = await startReceiver(500)
  t.after(() => receiver.close())
  const { server } = dashboard
  const { body } = await server.api.post('/webhooks', { url: receiver.url })
  await server.db`update webhooks set is_active = false, consecutive_failures = 20 where id = ${body.id}`
  const page = await goTo(`webhooks/${body.id}`)
  await page.getByText('Nothing is sent to this webhook').waitFor()
  await press(page, 'Turn on')
  await page.getByText('Nothing is sent to this webhook').waitFor({ state: 'hidden' })
  assert.equal((await server.api.get(`/webhooks/${body.id}`)).body.is_active, true)
})

test('marks calls with unknown parameters in the request log', chromium, async () => {
  await dashboard.server.api.get('/tickets?statuss=open&sorted=up')
  const page = await goTo('requests')
  const mark = page.getByText('Ignored parameters: statuss, sorted. Check their spelling.')
  await until(async () => {
    await press(page, 'Search')
    return mark.isVisible()
  })
})

test('writes, previews and publishes an article for the API and the help centre', chromium, async () => {
  const { server, base } = dashboard
  const page = await goTo('knowledge')
  await press(page, 'New article')
  await page.getByRole('dialog').getByLabel('Title').fill('How to return a parcel')
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { name: 'How to return a parcel', level: 1 }).waitFor()
  await (await untilFormatted(page.getByRole('textbox', { name: 'Text', exact: true }))).focus()
  await typeKeys(page, '## Label', 'Enter', 'Print it.')
  await page.getByRole('region', { name: 'Preview' }).getByRole('heading', { name: 'Label' }).waitFor()
  await page.getByText('Unsaved changes').waitFor()
  await page.getByRole('link', { name: 'All articles' }).click()
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  // Until then, keys belong to the dialog.
  await question.waitFor({ state: 'hidden' })
  await page.keyboard.press('Control+s')
  await page.getByText('Unsaved changes').waitFor({ state: 'hidden' })
  const read = () => server.api.get('/knowledge-base/articles/how-to-return-a-parcel')
  assert.equal((await read()).status, 404)
  await press(page, 'Publish')
  await page.getByRole('button', { name: 'Publish changes' }).waitFor()
  assert.match((await read()).body.content_html, /<h2 id="label">Label<\/h2>/)
  const help = await fetch(base + helpPath('acme', 'en', 'articles', 'how-to-return-a-parcel'))
  assert.match(await help.text(), /Print it\./)
})

test(
  'shows both versions to the second person who saves a setting, and lets them decide',
  chromium,
  async () => {
    const page = await goTo('project')
    await page.getByLabel('Name').fill('Mine')
    await olga.api.patch('/settings', { name: 'Theirs', reopen_days: 9 })
    await saveProject(page)
    await page.getByText('Someone else saved changes while you were editing', { exact: true }).waitFor()
    await page.getByRole('cell', { name: 'Theirs' }).waitFor()
    assert.deepEqual(await listAccessibilityViolations(page), [])
    await page.getByLabel('Name').fill('Mine at last')
    await Promise.all([page.getByText('Saved', { exact: true }).waitFor(), press(page, 'Keep mine')])
    assert.equal((await olga.api.get('/settings')).body.name, 'Mine at last')
  },
)

test('saved values stay even if the response to an older request arrives later', chromium, async () => {
  const page = await goTo('project')
  // The title is there before the settings, and settings that are still loading are not requested again.
  await page.getByLabel('Name').waitFor()
  const { promise: saved, resolve: release } = Promise.withResolvers<void>()
  let asked = 0
  let answered = 0
  await page.route(/\/api\/.*\/settings$/, async route => {
    if (route.request().method() !== 'GET') return route.fallback()
    asked += 1
    const older = await route.fetch()
    await saved
    await route.fulfill({ response: older }).catch(() => null)
    answered += 1
  })
  // When the server is reachable again, the page reloads everything.
  await page.route('**/readyz', route => route.fulfill({ json: {} }))
  await page.evaluate("dispatchEvent(new Event('offline')); dispatchEvent(new Event('online'))")
  await until(() => asked === 1)
  const name = `Saved ${Date.now()}`
  await page.getByLabel('Name').fill(name)
  await untilProjectSaved(page)
  release()
  await until(() => answered === 1)
  await page.getByRole('link', { name: 'API keys' }).click()
  await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'Project', exact: true }).click()
  await untilHolds(page.getByLabel('Name'), name)
  assert.equal(asked, 1)
})

test('the time zone of the project is found by typing a part of its name', chromium, async () => {
  const page = await goTo('project')
  const field = page.getByRole('combobox', { name: 'Time zone' })
  await field.fill('berlin')
  await page.getByRole('option', { name: 'Europe/Berlin' }).click()
  await untilProjectSaved(page)
  assert.equal((await olga.api.get('/settings')).body.timezone, 'Europe/Berlin')
  await page.reload()
  await untilHolds(page.getByRole('combobox', { name: 'Time zone' }), 'Europe/Berlin')
})

test('the main language of the help centre is found by typing a part of its name', chromium, async () => {
  await olga.api.patch('/settings', { default_locale: 'en-ZA-u-hc-h23' })
  const page = await goTo('project')
  const field = page.getByRole('combobox', { name: 'Main language' })
  await untilHolds(field, 'English (South Africa)')
  await field.fill('brazil')
  await page.getByRole('option', { name: /^Português \(Brasil\)/ }).waitFor()
  await field.press('ArrowDown')
  await field.press('Enter')
  await untilHolds(field, 'Português (Brasil)')
  await untilProjectSaved(page)
  assert.equal((await olga.api.get('/settings')).body.default_locale, 'pt-BR')
  await page.reload()
  await untilHolds(page.getByRole('combobox', { name: 'Main language' }), 'Português (Brasil)')
})

test('shows a field error beside the field, and keeps what was typed', chromium, async () => {
  const page = await goTo('project')
  await page.getByLabel('Address').fill('Not an address')
  await saveProject(page)
  const address = page.getByLabel('Address')
  await page.locator('[aria-invalid=true]').first().waitFor()
  assert.equal(await address.inputValue(), 'Not an address')
  assert.equal(await address.getAttribute('aria-invalid'), 'true')
})

test('lists plan and billing in the settings once a plan is for sale', chromium, async () => {
  const page = await goTo('project')
  const entry = page.getByRole('link', { name: 'Plan and billing' })
  await page.waitForLoadState('networkidle')
  assert.equal(await entry.count(), 0)
  await putPlans(dashboard.server.db)
  await page.reload({ waitUntil: 'commit' })
  await entry.waitFor()
})
