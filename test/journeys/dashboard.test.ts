import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page, Response } from 'playwright-core'
import manifest from '../../package.json' with { type: 'json' }
import { listBarriers, untilHolds } from '../browser.ts'
import { useDashboard } from '../dashboard.ts'
import { needs } from '../needs.ts'
import { joinProject } from '../operator.ts'

const chromium = needs('chromium')

const dashboard = useDashboard(({ server }) => joinProject(server, server.acme, { name: 'Omar '.repeat(12) }))
const { olga } = dashboard

const shown = (page: Page) => page.getByRole('heading', { level: 1 }).waitFor()

test('dialogs have no barrier, and the browser refuses nothing of a page', chromium, async () => {
  const page = await dashboard.open(olga, { reducedMotion: 'reduce' })
  const said: string[] = []
  page.on('console', message => message.type() === 'error' && said.push(message.text()))
  page.on('pageerror', error => said.push(error.message))
  await page.goto(`/p/${dashboard.server.acme.id}/settings/people`)
  await shown(page)
  for (const key of ['Control+k', '?']) {
    await page.keyboard.press(key)
    await page.getByRole('dialog').waitFor()
    assert.deepEqual(await listBarriers(page), [], key)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
  }
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  await page.getByRole('dialog').getByLabel('Email address').waitFor()
  assert.deepEqual(await listBarriers(page), [])
  assert.deepEqual(said, [])
})

test(
  'whatever is typed right after Ctrl-K stands in the command bar, from the first letter',
  chromium,
  async () => {
    const page = await dashboard.open(olga)
    await page.goto(`/p/${dashboard.server.acme.id}/settings/people`)
    await shown(page)
    for (const words of ['gift', 'settings', '?ab']) {
      await page.keyboard.press('Control+k')
      await page.keyboard.type(words)
      const field = page.getByRole('dialog').getByRole('textbox')
      await field.waitFor()
      await untilHolds(field, words)
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
    }
    assert.match(page.url(), /settings\/people$/)
  },
)

test('the menu of the account shows the version', chromium, async () => {
  const page = await dashboard.open(olga)
  await page.goto('/')
  await shown(page)
  await page.getByRole('button', { name: /: You$/ }).click()
  await page.getByRole('menu').getByText(`Deskbell ${manifest.version}`, { exact: true }).waitFor()
})

test('keys lead through the project, and none does anything while somebody types', chromium, async () => {
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

const longest = 250 * 1000

test('the first look at the inbox takes less than 250 KB of JavaScript, packed', chromium, async () => {
  const page = await dashboard.open(olga)
  const scripts: Response[] = []
  page.on('response', response => response.request().resourceType() === 'script' && scripts.push(response))
  await page.goto(`/p/${dashboard.server.acme.id}/inbox`)
  await shown(page)
  await page.waitForLoadState('networkidle')
  assert.ok(scripts.length > 0)
  assert.ok(scripts.every(script => script.headers()['content-encoding'] === 'br'))
  const sizes = await Promise.all(scripts.map(script => script.request().sizes()))
  const sum = sizes.reduce((all, { responseBodySize }) => all + responseBodySize, 0)
  assert.ok(sum > 50_000 && sum < longest, `${sum} bytes`)
})

test('a page whose file is gone since an update offers to load again', chromium, async () => {
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
  'while the server is away the page says so, keeps what was typed, and goes on by itself',
  chromium,
  async () => {
    const page = await dashboard.open(olga)
    await page.goto('/account/profile')
    await page.getByLabel('Name').fill('Olga Away')
    let isAway = true
    await page.route(/\/(api|readyz)/, route => (isAway ? route.abort() : route.fallback()))
    await page.route('**/readyz', route => (isAway ? route.abort() : route.fulfill({ json: {} })))
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Can’t reach Deskbell. Trying again…').waitFor()
    await page.getByText('what you typed is still here').waitFor()
    assert.equal(await page.getByLabel('Name').inputValue(), 'Olga Away')
    isAway = false
    await page.getByText('Can’t reach Deskbell. Trying again…').waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved').waitFor()
  },
)
