import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FrameLocator, Locator, Page } from 'playwright-core'
import { holdBack, listAccessibilityViolations, untilDrawn, untilIn } from '../browser.ts'
import { useDashboard } from '../dashboard.ts'
import { needs } from '../needs.ts'
import { ask, atWidget, begin, makeJwt, open, sign } from '../widget.ts'

const chromium = needs('chromium')

const dashboard = useDashboard()
const { olga } = dashboard

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const flip = (page: Page, name: string) => page.getByRole('switch', { name }).press('Space')
const read = async () => (await olga.api.get('/widget')).body
const api = (token?: string) => atWidget(dashboard.server, dashboard.server.acme, token)

async function goTo(): Promise<Page> {
  const page = await dashboard.open(olga, { viewport: { width: 1440, height: 900 } })
  await page.goto(`/p/${dashboard.server.acme.id}/settings/widget`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

async function save(page: Page): Promise<void> {
  const saved = page.waitForResponse(one => one.request().method() === 'PATCH' && one.status() === 200)
  await press(page, 'Save')
  await saved
}

const preview = (page: Page): FrameLocator => page.frameLocator('iframe')

test('previews unsaved changes, and shows them to visitors after saving', chromium, async () => {
  const page = await goTo()
  await preview(page)
    .getByText('How can we help', { exact: false })
    .or(preview(page).locator('h1'))
    .first()
    .waitFor()
  await page.getByLabel('Welcome message').fill('Ask us about bells.')
  await page.getByLabel('Colour').fill('#0F766E')
  await preview(page).getByText('Ask us about bells.').waitFor()
  const frame = page.frames().find(one => one.url().endsWith('#preview'))!
  await untilIn(frame, "document.documentElement.style.getPropertyValue('--accent') === '#0f766e'")
  assert.deepEqual([(await read()).is_on, (await read()).color], [false, null])
  await flip(page, 'Show the widget')
  await save(page)
  const { body } = await api().get('/config?locale=en')
  assert.deepEqual([body.color, body.texts.welcome], ['#0f766e', 'Ask us about bells.'])
})

test('shows a translated text and a custom question to visitors of that language', chromium, async () => {
  await olga.api.patch('/widget', { is_on: true })
  const page = await goTo()
  await page.getByLabel('Add language', { exact: true }).first().click()
  await page.getByRole('option', { name: 'German', exact: true }).click()
  await page.getByLabel('Title', { exact: true }).fill('Moin')
  await press(page, 'Add question')
  await page.getByRole('menuitem', { name: 'Custom question' }).click()
  await press(page, 'Save')
  await page.getByText('Enter a question.').waitFor()
  await page.getByLabel('Question text').fill('Bestellnummer')
  await page.getByLabel('Field key').fill('order')
  await page.getByText('Questions', { exact: true }).click()
  await preview(page).getByLabel('Bestellnummer').waitFor()
  assert.deepEqual(await listAccessibilityViolations(page), [])
  await save(page)
  const { texts, prechat_fields } = (await api().get('/config?locale=de')).body
  assert.deepEqual(
    [texts.title, prechat_fields[0].key, prechat_fields[0].label],
    ['Moin', 'order', 'Bestellnummer'],
  )
  await olga.api.patch('/widget', { prechat_fields: [] })
})

test('shows the latest changes in the preview, in whatever order languages load', chromium, async () => {
  const page = await goTo()
  await preview(page).locator('h1').waitFor()
  const { answered, release } = await holdBack(page, 'GET', /\/nl-[\w-]+\.js$/)
  await page.getByLabel('Add language', { exact: true }).first().click()
  await page.getByRole('option', { name: 'Dutch', exact: true }).click()
  await answered
  await press(page, 'Remove Dutch')
  await page.getByLabel('Title', { exact: true }).fill('Good day')
  await preview(page).getByRole('heading', { name: 'Good day' }).waitFor()
  const late = page.waitForEvent('requestfinished', one => /\/nl-/.test(one.url()))
  release()
  await late
  await untilDrawn(page)
  assert.equal(await preview(page).getByRole('heading', { name: 'Good day' }).isVisible(), true)
})

test('names an invalid domain beside its field, and saves nothing', chromium, async () => {
  await olga.api.patch('/widget', { allowed_domains: [] })
  const page = await goTo()
  const domains = page.getByLabel('Allowed domains')
  await domains.fill('shop.example\nmailto:me@other.example')
  await press(page, 'Save')
  await page.getByText('“mailto:me@other.example” isn’t a domain').waitFor()
  assert.equal(await domains.getAttribute('aria-invalid'), 'true')
  assert.deepEqual((await read()).allowed_domains, [])
  await domains.fill('shop.example\n*.other.example')
  await save(page)
  assert.deepEqual((await read()).allowed_domains, ['shop.example', '*.other.example'])
})

test('shows the signing secret once, and accepts only the newest one', chromium, async () => {
  const page = await goTo()
  await flip(page, 'Visitor notifications')
  await press(page, 'Create secret')
  const dialog = page.getByRole('dialog')
  const field = dialog.getByRole('textbox', { name: 'Signing secret' })
  const first = await field.inputValue()
  await press(page, 'I’ve saved it')
  await press(page, 'Replace secret')
  await dialog.getByRole('button', { name: 'Replace secret' }).click()
  await field.waitFor()
  const second = await field.inputValue()
  await page.keyboard.press('Escape')
  await press(page, 'I’ve saved it')
  await dialog.waitFor({ state: 'hidden' })
  assert.ok(!(await page.content()).includes(second))
  await olga.api.patch('/widget', { is_on: true })
  const identify = (secret: string) =>
    api().post('/identify', { user: { id: 'vera' }, signature: sign({ id: 'vera' }, secret) })
  assert.deepEqual([(await identify(first)).status, (await identify(second)).status], [403, 200])
})

test(
  'turns on visitor notifications, and lets the second of two people who save decide',
  chromium,
  async () => {
    await olga.api.patch('/widget', { notifies_visitors: false, color: null })
    const page = await goTo()
    await flip(page, 'Visitor notifications')
    await olga.api.patch('/widget', { color: '#112233' })
    await press(page, 'Save')
    await page.getByText('Someone else saved changes while you were editing', { exact: true }).waitFor()
    await page.getByRole('cell', { name: '#112233' }).waitFor()
    assert.equal((await read()).notifies_visitors, false)
    // From before the click, because this message disappears after four seconds.
    await Promise.all([page.getByText('Saved', { exact: true }).waitFor(), press(page, 'Keep mine')])
    const { notifies_visitors, color } = await read()
    assert.deepEqual([notifies_visitors, color], [true, null])
  },
)

test('shows operators whether the visitor is in the chat, and the rating', chromium, async () => {
  const { server } = dashboard
  await olga.api.patch('/widget', { is_on: true, prechat_fields: [] })
  const guest = await begin(server)
  const { id, short_id } = await ask(guest)
  const page = await dashboard.open(olga)
  await page.goto(`/p/${server.acme.id}/inbox/open/${short_id}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  assert.equal(await page.getByText('In the chat', { exact: true }).count(), 0)
  const tab = await open(server, guest)
  const sight = { tab: tab.tab, is_watching: true, ticket_id: id }
  assert.equal((await guest.api.post('/presence', sight)).status, 204)
  await page.getByText('In the chat', { exact: true }).waitFor()
  // From before the call, because typing is forgotten after six seconds.
  await Promise.all([
    page.getByText('The visitor is typing…').waitFor(),
    guest.api.post(`/tickets/${id}/typing`, { tab: tab.tab, is_typing: true }),
  ])
  tab.close()
  await page.getByText('In the chat', { exact: true }).waitFor({ state: 'hidden' })
  await olga.api.post(`/tickets/${id}/close`)
  const rated = await guest.api.post(`/tickets/${id}/rating`, { rating: 4, comment: 'Quick' })
  assert.equal(rated.status, 200, rated.text)
  await page.getByRole('img', { name: 'Rated 4 out of 5' }).waitFor()
  await page.getByText('Rated 4 out of 5: “Quick”').waitFor()
})

test('shows operators whether a visitor is verified, not verified or unknown', chromium, async () => {
  const { server } = dashboard
  await olga.api.patch('/widget', {
    is_on: true,
    prechat_fields: [{ key: 'email', type: 'email', labels: {}, is_required: false }],
  })
  const { secret } = (await olga.api.post('/widget/secret')).body
  const email = 'ann@example.com'
  const { body } = await api().post('/identify', { token: makeJwt({ email }, { key: secret }) })
  const proved = await ask({ api: atWidget(server, server.acme, body.token) })
  const typed = await ask(await begin(server), { fields: { email } })
  const unknown = await ask(await begin(server))
  const page = await dashboard.open(olga)
  for (const [{ short_id }, mark] of [
    [proved, (place: Locator) => place.getByRole('img', { name: 'Verified' })],
    [typed, (place: Locator) => place.getByText('not verified', { exact: true })],
    [unknown, (place: Locator) => place.getByText('unknown visitor', { exact: true })],
  ] as const) {
    await page.goto(`/p/${server.acme.id}/inbox/open/${short_id}`)
    const header = page.locator('header', { has: page.getByRole('heading', { level: 1 }) })
    for (const place of [header, page.locator('[id^=message-]')]) await mark(place).waitFor()
  }
})
