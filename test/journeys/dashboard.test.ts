import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import manifest from '../../package.json' with { type: 'json' }
import { listAccessibilityViolations, untilHolds } from '../browser.ts'
import { useDashboard } from '../dashboard.ts'
import { maxScriptBytes, maxStyleBytes, measureFirstView } from '../first-view.ts'
import { needs } from '../needs.ts'
import { joinProject } from '../operator.ts'

const chromium = needs('chromium')

const dashboard = useDashboard(({ server }) => joinProject(server, server.acme, { name: 'Omar '.repeat(12) }))
const { olga } = dashboard

const shown = (page: Page) => page.getByRole('heading', { level: 1 }).waitFor()

test('dialogs have no accessibility violations, and the browser reports no errors', chromium, async () => {
  const page = await dashboard.open(olga, { reducedMotion: 'reduce' })
  const said: string[] = []
  page.on('console', message => message.type() === 'error' && said.push(message.text()))
  page.on('pageerror', error => said.push(error.message))
  await page.goto(`/p/${dashboard.server.acme.id}/settings/people`)
  await shown(page)
  for (const key of ['Control+k', '?']) {
    await page.keyboard.press(key)
    await page.getByRole('dialog').waitFor()
    assert.deepEqual(await listAccessibilityViolations(page), [], key)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
  }
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  await page.getByRole('dialog').getByLabel('Email address').waitFor()
  assert.deepEqual(await listAccessibilityViolations(page), [])
  assert.deepEqual(said, [])
})

test('keeps every letter that is typed right after Ctrl-K opens the command bar', chromium, async () => {
  const page = await dashboard.open(olga)
  await page.goto(`/p/${dashboard.server.acme.id}/settings/people`)
  await shown(page)
  for (const words of ['gift', 'settings', '?ab']) {
    await page.keyboard.press('Control+k')
    await page.keyboard.type(words)
    const field = page.getByRole('dialog').getByRole('combobox')
    await field.waitFor()
    await untilHolds(field, words)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
  }
  assert.match(page.url(), /settings\/people$/)
})

test('shows the version in the account menu', chromium, async () => {
  const page = await dashboard.open(olga)
  await page.goto('/')
  await shown(page)
  await page.getByRole('button', { name: /: You$/ }).click()
  await page.getByRole('menu').getByText(`Deskbell ${manifest.version}`, { exact: true }).waitFor()
})

test('navigates by keyboard shortcuts, but not while somebody is typing', chromium, async () => {
  const page = await dashboard.open(olga)
  await page.goto('/')
  await shown(page)
  await page.keyboard.press('g')
  await page.keyboard.press('s')
  await page.waitForURL('**/settings/people')
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  await page.getByLabel('Name').fill('')
  await page.getByLabel('Name').pressSequentially('gi?')
  assert.equal(await page.getByLabel('Name').inputValue(), 'gi?')
  assert.match(page.url(), /settings\/people$/)
})

test('shows the inbox after loading at most 200 KB of scripts and 25 KB of styles', chromium, async () => {
  const path = `/p/${dashboard.server.acme.id}/inbox`
  const first = await measureFirstView(await dashboard.open(olga), path)
  const { scripts, styles, fonts, scriptBytes, styleBytes } = first
  assert.ok([...scripts, ...styles].every(response => response.headers()['content-encoding'] === 'br'))
  assert.ok(scriptBytes > 50_000 && scriptBytes <= maxScriptBytes, `${scriptBytes} bytes of scripts`)
  assert.deepEqual(
    fonts.map(response => new URL(response.url()).pathname.replace(/[\d.]+-/, '')),
    ['/fonts/inter-latin.woff2'],
  )
  assert.ok(styleBytes > 5_000 && styleBytes <= maxStyleBytes, `${styleBytes} bytes of styles`)
})

test('offers a reload when an update has removed a file of the page', chromium, async () => {
  const page = await dashboard.open(olga)
  await page.goto('/account/profile')
  await shown(page)
  await page.route('**/assets/sessions-page-*.js', route => route.fulfill({ status: 404 }))
  await page.getByRole('link', { name: 'Sessions' }).click()
  await page.getByRole('heading', { name: 'Deskbell has been updated' }).waitFor()
  await page.unroute('**/assets/sessions-page-*.js')
  await page.getByRole('main').getByRole('button', { name: 'Reload' }).click()
  await page.getByRole('heading', { name: 'Sessions', level: 1 }).waitFor()
})

test(
  'reports an unreachable server, keeps what was typed, and recovers without a reload',
  chromium,
  async () => {
    const page = await dashboard.open(olga)
    await page.goto('/account/profile')
    await page.getByLabel('Name').fill('Olga Away')
    const details = page.locator('form').filter({ has: page.getByLabel('Name') })
    let isAway = true
    await page.route(/\/(api|readyz)/, route => (isAway ? route.abort() : route.fallback()))
    await page.route('**/readyz', route => (isAway ? route.abort() : route.fulfill({ json: {} })))
    await details.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Can’t reach Deskbell. Trying again…').waitFor()
    await page.getByText('what you typed is still here').waitFor()
    assert.equal(await page.getByLabel('Name').inputValue(), 'Olga Away')
    isAway = false
    await page.getByText('Can’t reach Deskbell. Trying again…').waitFor({ state: 'hidden' })
    await details.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
  },
)
