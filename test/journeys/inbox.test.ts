import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { sendDueMessages } from '../../src/tickets/tickets.ts'
import { chooseTyped, listAccessibilityViolations, untilHolds, untilIn } from '../browser.ts'
import { makeMessage, makeTicket, unique } from '../cast.ts'
import { useDashboard } from '../dashboard.ts'
import { untilFormatted, wordsIn } from '../editor.ts'
import { needs } from '../needs.ts'
import { joinProject, type Person } from '../operator.ts'
import { until } from '../until.ts'

const chromium = needs('chromium')

let omar: Person
const dashboard = useDashboard(async ({ server, olga: owner }) => {
  omar = await joinProject(server, server.acme, { name: 'Omar' })
  // A slow machine needs more than the usual ten seconds until it undoes a reply.
  const undo_seconds = { widget: 30, email: 30, api: 30, telegram: 0, other: 0 }
  await owner.api.patch('/inbox-settings', { undo_seconds })
})
const { olga } = dashboard

const inboxOf = () => `/p/${dashboard.server.acme.id}/inbox`
const ask = (subject: string, fields = {}) =>
  makeTicket(dashboard.server.api, {
    contact: { email: `${unique()}@example.com`, full_name: 'Ann Lee' },
    subject,
    content: 'My card is refused.',
    ...fields,
  })

async function openTicket(person: Person, number: string): Promise<Page> {
  const viewport = { width: 1440, height: 900 }
  const page = await dashboard.open(person, { viewport, reducedMotion: 'reduce' })
  await page.goto(`${inboxOf()}/open/${number}`)
  await page.getByRole('textbox', { name: 'Reply' }).waitFor()
  return page
}

const reply = (page: Page) => page.getByRole('textbox', { name: 'Reply' })
const log = (page: Page) => page.getByRole('log')
const send = (page: Page) => page.getByRole('button', { name: 'Send', exact: true })
const ticketOf = async (id: string) => (await dashboard.server.api.get(`/tickets/${id}`)).body

test('shows a new ticket without a reload, and sends the reply to it', chromium, async () => {
  const { api, db } = dashboard.server
  const page = await dashboard.open(olga, { viewport: { width: 1440, height: 900 } })
  await page.goto(`${inboxOf()}/unassigned`)
  await page.getByRole('heading', { name: 'Today' }).waitFor()
  const subject = `Cannot pay ${unique()}`
  const { id } = await ask(subject)
  await page.getByRole('link', { name: subject }).click()
  await log(page).getByText('My card is refused.').waitFor()
  await (await untilFormatted(reply(page))).pressSequentially('We **look** into it.')
  await send(page).click()
  await log(page).locator('strong', { hasText: 'look' }).waitFor()
  await untilHolds(reply(page), '')
  const moved = page.waitForResponse('**/reschedule')
  await log(page).getByRole('button', { name: 'Send now' }).click()
  await moved
  await sendDueMessages(db, dashboard.server.acme.id)
  await log(page).getByRole('button', { name: 'Send now' }).waitFor({ state: 'hidden' })
  const { items } = (await api.get(`/tickets/${id}/messages?sender_type=operator`)).body
  assert.deepEqual(
    items.map((one: { content: string }) => one.content),
    ['We **look** into it.'],
  )
  const { status, operator } = await ticketOf(id)
  assert.deepEqual([status, operator.name], ['pending', 'Olga'])
})

test(
  "shows two people each other's presence, typing and replies, and lets one take over",
  chromium,
  async () => {
    const { id, short_id } = await ask('Two at once')
    const hers = await openTicket(olga, short_id)
    const his = await openTicket(omar, short_id)
    await hers.getByRole('img', { name: 'Also viewing: Omar' }).waitFor()
    await his.keyboard.press('t')
    await hers.getByRole('button', { name: 'Assignee: Omar' }).waitFor()
    const typing = hers.getByRole('article', { name: 'Two at once' }).getByText('Omar is typing')
    // It is shown only for some seconds after a key.
    await until(async () => {
      await reply(his).pressSequentially('I am on it. ')
      return typing.isVisible()
    })
    await reply(hers).fill('Hers')
    const note = await omar.api.post(`/tickets/${id}/messages`, { content: 'His own words' })
    assert.equal(note.status, 201)
    await log(hers).getByText('His own words').waitFor()
    await hers.keyboard.press('Escape')
    await hers.keyboard.press('Shift+T')
    await hers.getByRole('dialog').getByRole('button', { name: 'Take over' }).click()
    await his.getByRole('button', { name: 'Assignee: Olga' }).waitFor()
    assert.deepEqual(await listAccessibilityViolations(his), [])
    assert.equal(await wordsIn(reply(hers)), 'Hers')
  },
)

test(
  'asks before sending if a colleague has written something that the author has not seen',
  chromium,
  async () => {
    const { id, short_id } = await ask('Meanwhile')
    const page = await openTicket(olga, short_id)
    // The response with the new message is held back, so that the page cannot know about it. If it were
    // aborted, the page would report the server as unreachable.
    const news = Promise.withResolvers<void>()
    await page.route('**/messages?**', async route => {
      const response = await route.fetch()
      if ((await response.text()).includes('Solved it myself')) await news.promise
      // The page may have cancelled the request by now.
      await route.fulfill({ response }).catch(() => null)
    })
    await page.reload({ waitUntil: 'commit' })
    await log(page).getByText('My card is refused.').waitFor()
    await makeMessage(dashboard.server.api, id, { content: 'Solved it myself' })
    await reply(page).fill('Have you tried another card?')
    await send(page).click()
    await page.getByText(/sent a new message\./).waitFor()
    assert.equal(await wordsIn(reply(page)), 'Have you tried another card?')
    news.resolve()
    await page.getByRole('button', { name: 'Send anyway' }).click()
    await log(page).getByText('Have you tried another card?').waitFor()
    await log(page).getByText('Solved it myself').waitFor()
  },
)

test('keeps a draft across a reload, a lost network and another browser', chromium, async () => {
  const { short_id } = await ask('Draft')
  const page = await openTicket(olga, short_id)
  await reply(page).fill('Half a sentence')
  await page.getByText('Draft saved').waitFor()
  await page.reload({ waitUntil: 'commit' })
  await page.getByText('Draft saved').waitFor()
  await untilHolds(reply(page), 'Half a sentence')
  await page.context().setOffline(true)
  await reply(page).fill('Half a sentence, and more')
  await page.getByText('Can’t reach Deskbell. Trying again…').waitFor()
  await page.context().setOffline(false)
  await page.getByText('Draft saved').waitFor()
  await page.context().close()
  const elsewhere = await openTicket(olga, short_id)
  await elsewhere.getByText('Draft saved').waitFor()
  await untilHolds(reply(elsewhere), 'Half a sentence, and more')
})

test('puts an undone reply back into the editor, and does not send it', chromium, async () => {
  const { id, short_id } = await ask('Undo')
  const page = await openTicket(olga, short_id)
  await reply(page).fill('Too early')
  await page.keyboard.press('Control+Enter')
  // From before the click, because this message disappears after four seconds.
  await Promise.all([
    page.getByText('Back in the editor').waitFor(),
    page.getByRole('button', { name: 'Undo', exact: true }).click(),
  ])
  await untilHolds(reply(page), 'Too early')
  const { items } = (await dashboard.server.api.get(`/tickets/${id}/messages`)).body
  assert.deepEqual(
    items.map((one: { content: string }) => one.content),
    ['My card is refused.'],
  )
})

/** Pastes a file or a text. */
const paste = (page: Page, name: string, size: number, isFile: boolean) =>
  page.evaluate(`{
    const clipboardData = new DataTransfer()
    if (${isFile}) clipboardData.items.add(new File([new Uint8Array(${size})], '${name}', { type: 'application/pdf' }))
    else clipboardData.setData('text/plain', 'x'.repeat(${size}))
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
    document.querySelector('[aria-label=Reply][role=textbox]').dispatchEvent(event)
  }`)

test(
  'attaches pasted files and a huge pasted text, and reports a file that is too large at once',
  chromium,
  async () => {
    const { id, short_id } = await ask('Paste')
    const page = await openTicket(olga, short_id)
    await (await untilFormatted(reply(page))).fill('See these.')
    await paste(page, 'plan.pdf', 2_000, true)
    await paste(page, '', 1_000_000, false)
    await paste(page, 'film.pdf', 21 * 1024 * 1024, true)
    await page.getByText(/film\.pdf is larger than 20 MB/).waitFor()
    // Until the other files are uploaded, they change their width and move the button.
    await page.getByRole('progressbar').first().waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Remove film.pdf' }).click()
    await send(page).click()
    await log(page)
      .getByRole('link', { name: /plan\.pdf/ })
      .waitFor()
    const { items } = (await dashboard.server.api.get(`/tickets/${id}/messages`)).body
    const files = items
      .at(-1)
      .media.map((one: { filename: string; size: number }) => [one.filename, one.size])
    assert.deepEqual(files, [
      ['plan.pdf', 2_000],
      ['text.txt', 1_000_000],
    ])
  },
)

test('handles a whole ticket with the keyboard alone', chromium, async () => {
  const subject = `Keys ${unique()}`
  const { id } = await ask(subject)
  const page = await dashboard.open(olga, { viewport: { width: 1440, height: 900 } })
  await page.goto(`${inboxOf()}/open?sort=-created_at`)
  await page.getByRole('link', { name: subject }).waitFor()
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  await press('j', 'Enter')
  await page.getByRole('heading', { name: subject }).waitFor()
  await press('t')
  await page.getByRole('button', { name: 'Assignee: Olga' }).waitFor()
  await press('p')
  await chooseTyped(page, 'high', 'High')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  // The focus is in the list again.
  await untilIn(page, `document.activeElement.matches('a[data-ticket]')`)
  await press('l')
  await chooseTyped(page, 'billing', /Add tag/)
  await page.getByRole('option', { name: 'billing', exact: true }).waitFor()
  await press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await press('n')
  await press('n')
  await untilIn(page, `document.activeElement.getAttribute('aria-label') === 'Internal note'`)
  await page.keyboard.type('Ask @Om')
  await page.getByRole('option', { name: /Omar/ }).waitFor()
  await press('Enter', 'Control+Enter')
  await log(page).getByText('Ask @Omar').waitFor()
  await press('Escape', 'r')
  await untilIn(page, `document.activeElement.getAttribute('aria-label') === 'Reply'`)
  await page.keyboard.type('Done.')
  await press('Control+Enter')
  await log(page).getByText('Done.').waitFor()
  const closed = page.waitForResponse('**/close')
  await press('Escape', 'c')
  await page.getByRole('button', { name: 'Reopen' }).waitFor()
  await closed
  const { status, priority, tags, operator } = await ticketOf(id)
  assert.deepEqual([status, priority, tags, operator.name], ['closed', 'high', ['billing'], 'Olga'])
})

test('shows a script in a name, a subject and a message as text', chromium, async () => {
  const script = '<img src=x onerror="window.wasRun=1"><script>window.wasRun=1</script>'
  const { short_id } = await ask(script, {
    contact: { email: `${unique()}@example.com`, full_name: script },
    content: script,
    content_format: 'html',
  })
  const page = await openTicket(olga, short_id)
  await page.getByRole('heading', { name: script }).waitFor()
  await page.getByRole('article', { name: script }).first().waitFor()
  assert.equal(await page.evaluate('window.wasRun'), undefined)
})
