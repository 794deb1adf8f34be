import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { holdBack, listAccessibilityViolations, listSmallTargets, untilHolds, untilIn } from '../browser.ts'
import { makeContact, makeTicket, unique } from '../cast.ts'
import { useDashboard } from '../dashboard.ts'
import { makeArticle } from '../knowledge.ts'
import { needs } from '../needs.ts'
import { makeOrganization } from '../organization.ts'

/** Ctrl-K: everything can be found and opened by keyboard alone. */

const chromium = needs('chromium')

const dashboard = useDashboard()
const { olga } = dashboard

async function open(path: string, options = {}): Promise<Page> {
  const page = await dashboard.open(olga, {
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
    ...options,
  })
  await page.goto(`/p/${dashboard.server.acme.id}/${path}`)
  return page
}

const field = (page: Page) => page.getByRole('combobox', { name: /Search commands/ })
const highlighted = (page: Page) => page.getByRole('dialog').getByRole('option', { selected: true })
const listOptions = (page: Page): Promise<string[]> =>
  page
    .getByRole('dialog')
    .getByRole('option')
    .locator(':scope > span:nth-child(2) > :first-child')
    .allTextContents()

async function openBar(page: Page): Promise<void> {
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.locator('[data-command-field]:focus').waitFor()
}

/** Types words, and runs the entry with this name, which must be the highlighted one. */
async function run(page: Page, words: string, name: string | RegExp): Promise<void> {
  await openBar(page)
  await page.keyboard.type(words)
  await highlighted(page)
    .filter({ hasText: name })
    .waitFor()
    .catch(async cause => {
      throw new Error(
        `“${words}” highlights ${await highlighted(page).allTextContents()} of ${await listOptions(page)} for ${await field(page).inputValue()}`,
        { cause },
      )
    })
  await page.keyboard.press('Enter')
  await field(page).waitFor({ state: 'detached' })
}

test('lists the actions of the open ticket first, then recent records', chromium, async () => {
  const [old, recent] = [
    await makeTicket(dashboard.server.api, { subject: 'Seen before' }),
    await makeTicket(dashboard.server.api, { subject: 'Open now' }),
  ]
  const page = await open(`inbox/all/${old.short_id}`)
  await page.getByRole('heading', { name: 'Seen before' }).waitFor()
  await run(page, recent.short_id, /Open now|Open ticket/)
  await page.getByRole('heading', { name: 'Open now' }).waitFor()
  await page.getByRole('textbox', { name: 'Reply' }).waitFor()
  await openBar(page)
  const groups = page.getByRole('dialog').getByRole('group')
  await groups
    .first()
    .filter({ hasText: /^Ticket.*Assign/ })
    .waitFor()
  await groups
    .nth(1)
    .filter({ hasText: /^Recent#\d+ Seen before/ })
    .waitFor()
  assert.deepEqual(await listAccessibilityViolations(page), [])
  assert.deepEqual(await listSmallTargets(page), [])
  await page.keyboard.press('Escape')
  await run(page, 'seen', 'Seen before')
  await page.getByRole('heading', { name: 'Seen before' }).waitFor()
})

test('opens pages of settings and of the account by name and by other words', chromium, async () => {
  const page = await open('inbox/open')
  await page.getByRole('navigation', { name: 'Views' }).waitFor()
  for (const [words, name, heading] of [
    ['webhook', 'Webhooks', 'Webhooks'],
    ['token', 'API keys', 'API keys'],
    ['dkim', 'Mailboxes', 'Mailboxes'],
    ['profile', 'Profile', 'Profile'],
  ] as const) {
    await run(page, words, name)
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
  }
})

test('changes theme and direction', chromium, async () => {
  const page = await open('inbox/open')
  await page.getByRole('navigation', { name: 'Views' }).waitFor()
  await run(page, 'dark', 'Theme: Dark')
  await untilIn(page, `document.documentElement.dataset.mantineColorScheme === 'dark'`)
  await run(page, 'right to', 'Text direction: Right to left')
  await untilIn(page, `document.documentElement.dir === 'rtl'`)
  await openBar(page)
  await page.keyboard.type('theme')
  await highlighted(page).waitFor()
  assert.deepEqual(await listAccessibilityViolations(page), [])
})

test(
  'inserts a canned reply into the open composer, and opens the page of canned replies elsewhere',
  chromium,
  async () => {
    const title = `Greeting ${unique()}`
    const answer = { shortcut: `g${unique()}`, title, content: 'Good day, dear friend', scope: 'personal' }
    assert.equal((await olga.api.post('/canned-answers', answer)).status, 201)
    const { short_id } = await makeTicket(dashboard.server.api)
    const page = await open(`inbox/all/${short_id}`)
    const reply = page.getByRole('textbox', { name: 'Reply' })
    await reply.waitFor()
    await run(page, title, title)
    await untilHolds(reply, 'Good day, dear friend')
    await page.goto(`/p/${dashboard.server.acme.id}/contacts`)
    await run(page, title, title)
    await page.getByRole('heading', { name: 'Canned replies', level: 1 }).waitFor()
  },
)

test('finds contacts with their tickets, people, organizations and articles', chromium, async () => {
  const { server } = dashboard
  const word = `x${unique()}`
  const contact = { email: `${word}@example.com`, full_name: `Ann ${word}` }
  const ticket = await makeTicket(server.api, { contact, subject: 'Of Ann' })
  const organization = await makeOrganization(server.api, { name: `Company ${word}` })
  await makeArticle(server.db, server.acme, { title: `Guide ${word}` })
  const page = await open('contacts')
  await openBar(page)
  await page.keyboard.type(word)
  for (const name of [`Ann ${word}`, `Tickets from Ann ${word}`, organization.name, `Guide ${word}`])
    await page.getByRole('option', { name }).first().waitFor()
  await page.keyboard.press('Escape')
  await openBar(page)
  await page.keyboard.type(`Company ${word}`)
  await highlighted(page).filter({ hasText: organization.name }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/organizations/${organization.id}`)
  await openBar(page)
  await page.keyboard.type(`Ann ${word}`)
  const ofAnn = page.getByRole('option', { name: `Tickets from Ann ${word}` })
  await ofAnn.waitFor()
  while ((await ofAnn.getAttribute('aria-selected')) !== 'true') await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: /Of Ann/ }).waitFor()
  const filters = page.getByRole('region', { name: 'Filters' })
  await filters.getByRole('button', { name: `Edit filter: Contact is Ann ${word}` }).waitFor()
  await run(page, 'Olga', 'Olga')
  await page.waitForURL(url => url.pathname.endsWith('/inbox/all') && url.search.includes(olga.id))
  await filters
    .getByRole('button', { name: /Assignee is Me$/ })
    .first()
    .waitFor()
  assert.ok(ticket.id)
})

test('opens the ticket with the typed number, even if the server has not answered', chromium, async () => {
  const { short_id } = await makeTicket(dashboard.server.api, { subject: 'By number' })
  await makeTicket(dashboard.server.api, { subject: `See ${short_id}`, content: `${short_id}` })
  const page = await open('contacts')
  for (const words of [`#${short_id}`, short_id]) {
    await openBar(page)
    await page.keyboard.type(words)
    await highlighted(page)
      .filter({ hasText: /By number|Open ticket/ })
      .waitFor()
    assert.equal((await listOptions(page)).length > 0, true)
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/inbox/open/${short_id}`)
    await page.goto(`/p/${dashboard.server.acme.id}/contacts`)
  }
})

/** In one call, because an entry is a new element when its group has moved. */
const placeOfHighlighted = (page: Page): Promise<object> =>
  page.evaluate<object>(
    `document.querySelector('[role=dialog] [aria-selected=true]').getBoundingClientRect().toJSON()`,
  )

test('keeps the highlighted entry and its place when results arrive', chromium, async () => {
  const { server } = dashboard
  const subject = `Webhook problem ${unique()}`
  await makeTicket(server.api, { subject })
  const page = await open('contacts')
  await openBar(page)
  const search = await holdBack(page, 'GET', /\/search\?/)
  await page.keyboard.type('webhook')
  await highlighted(page).filter({ hasText: 'Webhooks' }).waitFor()
  await search.answered
  const before = await placeOfHighlighted(page)
  search.release()
  await page.getByRole('option', { name: subject }).waitFor()
  assert.match((await highlighted(page).textContent())!, /^Webhooks/)
  assert.deepEqual(await placeOfHighlighted(page), before)
  assert.equal(
    await field(page).getAttribute('aria-activedescendant'),
    await highlighted(page).getAttribute('id'),
  )
})

test('two contacts with the same name are two recent records', chromium, async () => {
  const name = `Twin ${unique()}`
  const ids = []
  for (let at = 0; at < 2; at++) ids.push((await makeContact(dashboard.server.api, { full_name: name })).id)
  const page = await open(`contacts/${ids[0]}`)
  await page.getByRole('heading', { name }).first().waitFor()
  await untilIn(page, `Object.values(localStorage).some(text => text.includes('${ids[0]}'))`)
  await openBar(page)
  await page.keyboard.type(name)
  // The other one is listed by the search.
  await page.getByRole('option', { name }).nth(3).waitFor()
  while (!(await highlighted(page).getAttribute('id'))?.includes(ids[1]!))
    await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/contacts/${ids[1]}`)
  await untilIn(page, `Object.values(localStorage).some(text => text.includes('${ids[1]}'))`)
  await page.goto(`/p/${dashboard.server.acme.id}/contacts`)
  await openBar(page)
  const recent = page
    .getByRole('group')
    .filter({ hasText: /^Recent/ })
    .getByRole('option', { name })
  await recent.nth(1).waitFor()
})
