import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { holdBack, listAccessibilityViolations, lookOf, untilHolds, untilIn } from '../browser.ts'
import { makeMessage, makeTicket, unique } from '../cast.ts'
import { useDashboard } from '../dashboard.ts'
import { needs } from '../needs.ts'
import { joinProject, type Person } from '../operator.ts'
import { until } from '../until.ts'

const chromium = needs('chromium')

let omar: Person
const dashboard = useDashboard(async ({ server }) => {
  omar = await joinProject(server, server.acme, { name: 'Omar Aziz' })
})
const { olga } = dashboard

const ask = (subject: string, fields = {}) =>
  makeTicket(dashboard.server.api, { subject, content: `About ${subject}`, ...fields })

const base = () => `/p/${dashboard.server.acme.id}`
const viewport = { width: 1280, height: 800 }

async function open(path: string, options = {}): Promise<Page> {
  const page = await dashboard.open(olga, { viewport, reducedMotion: 'reduce', ...options })
  await page.goto(base() + path)
  return page
}

const rowOf = (page: Page, name: string) => page.getByRole('link', { name })

test('shows an unsent draft in the row instead of the last message', chromium, async () => {
  const subject = `Draft ${unique()}`
  const { short_id } = await ask(subject)
  const page = await open(`/inbox/open/${short_id}`)
  await page.getByRole('textbox', { name: 'Reply' }).fill('Dear Ann')
  await rowOf(page, subject).getByText('Draft: Dear Ann').waitFor()
  assert.equal(await rowOf(page, subject).getByText(`About ${subject}`).count(), 0)
  await page.reload()
  await rowOf(page, subject).getByText('Draft: Dear Ann').waitFor()
  // The list may show the draft before the editor has loaded it.
  const reply = page.getByRole('textbox', { name: 'Reply' })
  await untilHolds(reply, 'Dear Ann')
  await reply.fill('')
  await rowOf(page, subject).getByText(`About ${subject}`).waitFor()
})

test('shows a link to the target in a merged ticket, and no editor', chromium, async () => {
  const contact = { email: `${unique()}@example.com` }
  const [gone, into] = [await ask('Gone', { contact }), await ask('Staying', { contact })]
  await dashboard.server.api.post(`/tickets/${gone.id}/merge`, { into_ticket_id: into.id })
  const page = await open(`/inbox/open/${gone.short_id}`)
  const way = page.getByRole('link', { name: `#${into.short_id} Staying` })
  await way.waitFor()
  assert.equal(await page.getByRole('textbox', { name: /Reply|note/ }).count(), 0)
  assert.equal(await page.getByRole('button', { name: /Assignee|Close|Reopen/ }).count(), 0)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem').first().waitFor()
  assert.equal(await page.getByRole('menuitem').count(), 4)
  await page.getByRole('menuitem', { name: 'Delete' }).waitFor()
  await page.keyboard.press('Escape')
  await way.click()
  await page.getByRole('heading', { name: 'Staying' }).waitFor()
  await page.getByRole('textbox', { name: 'Reply' }).waitFor()
})

test('moves the draft of a merged ticket to its target', chromium, async () => {
  const contact = { email: `${unique()}@example.com` }
  const [gone, into] = [await ask('Gone too', { contact }), await ask('Staying too', { contact })]
  const draftIn = async ({ id }: { id: string }) => (await olga.api.get(`/tickets/${id}/draft`)).body.reply
  await olga.api.put(`/tickets/${gone.id}/draft`, { content: 'Dear Ann', version: 0 })
  await dashboard.server.api.post(`/tickets/${gone.id}/merge`, { into_ticket_id: into.id })
  const page = await open(`/inbox/closed/${gone.short_id}`)
  await page.getByRole('button', { name: 'Move draft there' }).click()
  await page.getByRole('heading', { name: 'Staying too' }).waitFor()
  await untilHolds(page.getByRole('textbox', { name: 'Reply' }), 'Dear Ann')
  await until(async () => (await draftIn(into))?.content === 'Dear Ann' && (await draftIn(gone)) === null)
})

test("updates a contact's tickets live, on the contact page and beside a ticket", chromium, async () => {
  const contact = { email: `${unique()}@example.com` }
  const first = await ask('First', { contact })
  const [page, beside] = [
    await open(`/contacts/${first.contact_id}`),
    await open(`/inbox/open/${first.short_id}`, { viewport: { width: 1440, height: 900 } }),
  ]
  await page.getByRole('link', { name: /^First/ }).waitFor()
  await beside.getByText('No other tickets').waitFor()
  const second = await ask('Second', { contact })
  for (const one of [page.getByRole('main'), beside.getByRole('complementary')])
    await one.getByRole('link', { name: /^Second.*New/ }).waitFor()
  await dashboard.server.api.post(`/tickets/${second.id}/close`)
  for (const one of [page.getByRole('main'), beside.getByRole('complementary')])
    await one.getByRole('link', { name: /^Second.*Closed/ }).waitFor()
})

interface Box {
  x: number
  y: number
  width: number
  height: number
}

interface Part {
  parentElement: Part
  closest(selector: string): Part
  querySelector(selector: string): Part
  getBoundingClientRect(): Box
}

/** Where a fact, the header and the column of facts are, in one call: a fact that is shown later moves others. */
const placesOf = (fact: Locator) =>
  fact.evaluate<Record<'place' | 'box' | 'about', Box>, Part>(one => {
    const boxOf = (part: Part): Box => {
      const { x, y, width, height } = part.getBoundingClientRect()
      return { x, y, width, height }
    }
    const header = one.closest('header')
    return {
      place: boxOf(one),
      box: boxOf(header),
      about: boxOf(header.querySelector('h1').parentElement),
    }
  })

test('does not cut off anything in the header of a ticket', chromium, async () => {
  const tags = ['billing', 'broken-frame', 'vip-customer', 'warranty-case', 'second-level']
  const ticket = await ask('Many facts', { priority: 'urgent', tags })
  await olga.api.patch(`/tickets/${ticket.id}`, { snoozed_until: new Date(Date.now() + 1e9).toISOString() })
  const page = await open(`/inbox/snoozed/${ticket.short_id}`)
  const head = page.getByRole('article', { name: 'Many facts' }).locator('header')
  for (const words of [/^Snoozed until/, ...tags.map(tag => new RegExp(`^${tag}$`))]) {
    const fact = head.getByText(words)
    await fact.waitFor()
    const { place, box, about } = await placesOf(fact)
    const { x, y, width, height } = place
    assert.ok(x >= box.x && x + width <= box.x + box.width, String(words))
    assert.ok(y >= box.y && y + height <= box.y + box.height, String(words))
    assert.ok(x + width <= about.x + about.width + 1, String(words))
  }
})

test('shows tag colours in the list and on the ticket', chromium, async () => {
  const tag = `hot${unique()}`
  const { status } = await olga.api.post('/tags', { name: tag, color: '#ff8800' })
  assert.equal(status, 201)
  const { short_id } = await ask('Coloured', { tags: [tag] })
  const page = await open(`/inbox/open/${short_id}`)
  const marks = page.getByText(tag, { exact: true }).locator('..')
  await untilIn(page, `document.querySelectorAll('header [style*="rgb(255, 136, 0)"]').length === 1`)
  // The list may be loaded later than the ticket.
  await marks.nth(1).waitFor()
  assert.equal(await marks.count(), 2)
  for (const mark of await marks.all()) assert.equal(await mark.evaluate(lookOf, 'color'), 'rgb(255, 136, 0)')
})

/** Adds a note that is typed in one go, so that nobody is chosen from the list. */
async function addNote(page: Page, words: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Reply' }).waitFor()
  await page.keyboard.press('n')
  await page.keyboard.press('n')
  await page.getByRole('textbox', { name: 'note' }).fill(words)
  await page.getByRole('button', { name: 'Add note' }).press('Enter')
}

test('a note that is sent before the people are loaded notifies the mentioned person', chromium, async () => {
  const ticket = await ask('Mentions')
  const page = await dashboard.open(olga, { viewport, reducedMotion: 'reduce' })
  const people = await holdBack(page, 'GET', /\/operators$/)
  await page.goto(`${base()}/inbox/open/${ticket.short_id}`)
  await addNote(page, 'Look, @Omar Aziz, <b>please</b>')
  await people.answered
  people.release()
  await page.getByRole('log').locator('mark', { hasText: '@Omar Aziz' }).waitFor()
  const { items } = (await omar.api.get('/tickets?view=mentions')).body
  assert.deepEqual(
    items.map(({ id }: { id: string }) => id),
    [ticket.id],
  )
})

test('a note is sent even if the people cannot be loaded', chromium, async () => {
  const ticket = await ask('No people')
  const page = await dashboard.open(olga, { viewport, reducedMotion: 'reduce' })
  const tooMany = { error_code: 'RATE_LIMIT_EXCEEDED', error_message: 'Try again later.', detail: null }
  await page.route(/\/operators$/, route => route.fulfill({ status: 429, json: tooMany }))
  await page.goto(`${base()}/inbox/open/${ticket.short_id}`)
  await addNote(page, 'Look, @Omar Aziz')
  await page.getByRole('log').getByText('Look, @Omar Aziz').waitFor()
})

test('shows the "new" line above the customer\'s message, not above one\'s own', chromium, async () => {
  const ticket = await ask('Lines')
  const page = await open(`/inbox/open/${ticket.short_id}`)
  await page.getByRole('log').getByText('About Lines').waitFor()
  await untilIn(page, `document.querySelector('[data-ticket="${ticket.id}"]:not([data-unread])') !== null`)
  await page.getByRole('textbox', { name: 'Reply' }).fill('Of my own')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('log').getByRole('button', { name: 'Send now' }).waitFor()
  // The customer writes while one's own message can still be undone.
  await makeMessage(dashboard.server.api, ticket.id, { content: 'Of the customer' })
  const line = page.getByRole('log').getByText('New', { exact: true })
  await line.waitFor()
  assert.equal(await line.locator('xpath=following-sibling::*[1]').getByText('Of the customer').count(), 1)
})

test(
  'aligns left-to-right and right-to-left names on the same side of the contact list',
  chromium,
  async () => {
    await ask('Names', { contact: { email: `${unique()}@example.com`, full_name: 'كريم منصور' } })
    await ask('Names', { contact: { email: `${unique()}@example.com`, full_name: 'Ann Lee' } })
    for (const dir of ['ltr', 'rtl']) {
      const page = await open('/contacts')
      await page.evaluate(`localStorage.setItem('deskbell', '{"dir":"${dir}"}')`)
      await page.reload()
      await page.getByText('كريم منصور').waitFor()
      const sides = await page.getByText(/Ann Lee|كريم منصور/).evaluateAll(all =>
        all.map(one => {
          const range = one.ownerDocument.createRange()
          range.selectNodeContents(one)
          const { left, right } = range.getBoundingClientRect()
          return Math.round(one.ownerDocument.documentElement.dir === 'rtl' ? right : left)
        }),
      )
      assert.equal(new Set(sides).size, 1, `${dir}: ${sides}`)
    }
  },
)

for (const colorScheme of ['light', 'dark'] as const) {
  test(
    `selected options and destructive buttons have no accessibility violations: ${colorScheme}`,
    chromium,
    async () => {
      const contact = { email: `${unique()}@example.com` }
      const [source] = [await ask('Read', { contact }), await ask('Read other', { contact })]
      const page = await open(`/inbox/open/${source.short_id}`, { colorScheme })
      const dialog = page.getByRole('dialog')
      await page.getByRole('textbox', { name: 'Reply' }).waitFor()
      for (const key of ['s', 'm', 'a']) {
        await page.keyboard.press(key)
        await dialog.locator('[data-combobox-selected]').waitFor()
        assert.deepEqual(await listAccessibilityViolations(page), [], key)
        await page.keyboard.press('Escape')
        await dialog.waitFor({ state: 'hidden' })
      }
      await page.keyboard.press('Control+k')
      await page.keyboard.type('Read')
      await dialog.locator('[data-combobox-selected]').waitFor()
      assert.deepEqual(await listAccessibilityViolations(page), [])
      await page.goto(`${base()}/contacts/${source.contact_id}`)
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: 'Block' }).click()
      await dialog.getByRole('button', { name: 'Block' }).waitFor()
      assert.deepEqual(await listAccessibilityViolations(page), [])
    },
  )
}
