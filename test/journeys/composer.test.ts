import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import PostalMime from 'postal-mime'
import { keepFirstKey, listAccessibilityViolations, untilHolds } from '../browser.ts'
import { makeTicket } from '../cast.ts'
import { formatted, pasteHtml, typeKeys, untilFormatted, wordsIn, writeFormatted } from '../editor.ts'
import { openFileContext } from '../file-context.ts'
import { openMailbox } from '../mail/receiving.ts'
import { sendMails, sendThrough } from '../mail/sending.ts'
import { type Sink, startSink } from '../mail/sink.ts'
import { needs } from '../needs.ts'
import { begin, chat, openShop, type Shop } from '../shop.ts'
import { until } from '../until.ts'

/** Writing with formatting, which is read from Markdown and sent as Markdown. */

const chromium = needs('chromium')
const context = openFileContext()
let shop: Shop
let sink: Sink

before(async () => {
  if (chromium.skip) return
  shop = await openShop()
  const { server, olga } = shop
  sink = await startSink(context)
  const { id } = await openMailbox({ server }, 'support@acme.example', { name: 'Acme Support' })
  await sendThrough(server, id, sink)
  sendMails(context, server)
  const undo_seconds = { widget: 0, email: 0, api: 0, telegram: 0, other: 0 }
  await olga.api.patch('/inbox-settings', { undo_seconds })
})
after(() => shop?.close())

async function openPage(path: string, preferences = {}): Promise<Page> {
  const { browser, desk, olga, project } = shop
  const own = await browser.newContext({ locale: 'en-GB', baseURL: desk, reducedMotion: 'reduce' })
  await own.addCookies([...olga.cookies].map(([name, value]) => ({ name, value, url: desk })))
  const page = await own.newPage()
  const stored = JSON.stringify(JSON.stringify(preferences))
  await page.addInitScript(`localStorage.deskbell ??= ${stored}`)
  await keepFirstKey(page)
  await page.goto(`/p/${project.id}/inbox/${path}`)
  return page
}

const reply = (page: Page): Locator => page.getByRole('textbox', { name: 'Reply', exact: true })
const note = (page: Page): Locator => page.getByRole('textbox', { name: 'Internal note' })

/** A new ticket of the API, with the field for a reply in focus. */
async function openReply(preferences = {}) {
  const { id, short_id } = await makeTicket(shop.server.api, { content: 'My lamp is broken.' })
  const page = await openPage(`all/${short_id}`, preferences)
  await untilFormatted(reply(page))
  await reply(page).focus()
  return { id, page, field: reply(page) }
}

const draftOf = async (id: string, kind = 'reply') =>
  (await shop.olga.api.get(`/tickets/${id}/draft`)).body[kind]?.content
const untilDraft = (id: string, content: string, kind = 'reply') =>
  until(async () => (await draftOf(id, kind)) === content).catch(async () =>
    assert.equal(await draftOf(id, kind), content),
  )

const tags = [
  ...[/<strong[^>]*>Ann</, /<a [^>]*href="https:\/\/help\.example\/guide"/, /<li[^>]*>one</, /<li[^>]*>two</],
  ...[/<blockquote[^>]*>\s*<p[^>]*>Quoted</, /<th[^>]*>Size</, /<td[^>]*>12</],
]

test(
  'a formatted reply to the website chat is Markdown in the API, and formatted in the chat',
  chromium,
  async () => {
    const visitor = await shop.visit()
    const ticketId = await begin(visitor, 'Which sizes are there?')
    const { short_id } = (await shop.server.api.get(`/tickets/${ticketId}`)).body
    const page = await openPage(`all/${short_id}`)
    await writeFormatted(reply(page))
    assert.deepEqual(await listAccessibilityViolations(page), [])
    await page.keyboard.press('Control+Enter')
    await chat(visitor).getByRole('cell', { name: '12' }).waitFor()
    for (const [tag, words] of [
      ['strong', 'Ann'],
      ['a', 'our guide'],
      ['li', 'two'],
      ['blockquote', 'Quoted'],
      ['th', 'Price'],
    ])
      await chat(visitor).locator(`.words ${tag}`, { hasText: words }).first().waitFor()
    const { items } = (await shop.server.api.get(`/tickets/${ticketId}/messages?sender_type=operator`)).body
    assert.deepEqual([items.at(-1).content, items.at(-1).content_format], [formatted, 'markdown'])
    await untilHolds(reply(page), '')
  },
)

test('a formatted email has the same formatting in its HTML', chromium, async () => {
  const page = await openPage('all')
  await page.getByRole('button', { name: 'New email' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('To', { exact: true }).and(page.locator('input')).focus()
  await typeKeys(page, 'ann@example.com,')
  await dialog.getByLabel('Subject').fill('Sizes')
  const field = dialog.getByRole('textbox', { name: 'Message' })
  await writeFormatted(field)
  await field.press('Control+Enter')
  const mail = await until(() => sink.mails.find(({ raw }) => raw.includes('Subject: Sizes')))
  const { html = '' } = await PostalMime.parse(mail.raw)
  for (const tag of tags) assert.match(html, tag)
})

test('keys toggle marks, Enter continues lists, and undo removes what was typed', chromium, async () => {
  const { id, page, field } = await openReply()
  const bold = page.getByRole('button', { name: 'Bold' })
  await typeKeys(page, 'One ', 'Control+b', 'two')
  await page.locator('button[aria-label=Bold][aria-pressed=true]').waitFor()
  await typeKeys(
    page,
    'Control+b',
    ' ',
    'Control+i',
    'three',
    'Control+i',
    ' ',
    'Control+Shift+X',
    'four',
    'Control+Shift+X',
    ' `five`',
  )
  await untilDraft(id, 'One **two** *three* ~~four~~ `five`')
  assert.equal(await bold.getAttribute('aria-pressed'), 'false')
  await page.keyboard.press('Control+A')
  await page.keyboard.press('Delete')
  await typeKeys(page, '1. first', 'Enter', 'second', 'Enter', 'Enter', '2 * 3 * 4 = a_b_c #1')
  await untilDraft(id, '1. first\n2. second\n\n2 * 3 * 4 = a_b_c #1')
  // A pause between two keys begins a new step, so a slow machine needs more steps.
  await until(async () => {
    await page.keyboard.press('Control+Z')
    return !(await wordsIn(field)).includes('a_b_c')
  })
  await page.keyboard.press('Escape')
  assert.equal(
    await field.evaluate((one: { matches(selector: string): boolean }) => one.matches(':focus')),
    false,
  )
})

test('on a phone, the menu has every kind of formatting', chromium, async () => {
  const { id, page } = await openReply()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'Bold' }).waitFor({ state: 'detached' })
  await typeKeys(page, 'Now', 'Control+a')
  await page.getByRole('button', { name: 'More formatting' }).click()
  await page.getByRole('menuitem', { name: 'Bold' }).click()
  await untilDraft(id, '**Now**')
})

test('a link is added, changed and removed by keyboard', chromium, async () => {
  const { id, page } = await openReply()
  const address = page.getByRole('textbox', { name: 'Link address' })
  await typeKeys(page, 'See here', 'Control+Shift+ArrowLeft', 'Control+k')
  await address.waitFor()
  await typeKeys(page, 'not an address', 'Enter')
  await page.getByText('Enter a web address, email address or phone number.').waitFor()
  await address.fill('ann@example.com')
  await page.keyboard.press('Enter')
  await untilDraft(id, 'See [here](mailto:ann@example.com)')
  await typeKeys(page, 'ArrowLeft', 'Control+k')
  await address.fill('https://x.test/a_(b)')
  await page.keyboard.press('Enter')
  await untilDraft(id, 'See [here](https://x.test/a_\\(b\\))')
  await typeKeys(page, 'ArrowLeft', 'Control+k')
  await address.waitFor()
  await typeKeys(page, 'Tab', 'Tab', 'Enter')
  await untilDraft(id, 'See here')
})

test('pasted HTML becomes clean Markdown, and typed text before it stays', chromium, async () => {
  const { id, page, field } = await openReply()
  await typeKeys(page, 'Look: ')
  await pasteHtml(
    field,
    '<meta charset="utf-8"><div style="color:red"><b style="font-weight:normal"><p>Some <span style="font-weight:700">bold</span> <a href="javascript:alert(1)">text</a></p><ul><li><p>one</p></li></ul><script>alert(2)</script></b></div>',
  )
  await untilDraft(id, 'Look: Some **bold** text\n\n- one')
})

test('mentions look like chips, and emojis are completed', chromium, async () => {
  const { id, page } = await openReply()
  await page.keyboard.press('Escape')
  await typeKeys(page, 'n', 'n')
  await untilFormatted(note(page))
  await typeKeys(page, 'Ask @Olga')
  await page.getByRole('option', { name: 'Olga Berg' }).waitFor()
  await note(page).and(page.locator('[aria-haspopup=listbox]')).waitFor()
  assert.deepEqual(await listAccessibilityViolations(page), [])
  await typeKeys(page, 'Enter', 'please :tada')
  // The list may still be that of the first letters, in which it is not the first.
  await page.getByRole('option', { name: ':tada:', selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await untilDraft(id, 'Ask @Olga Berg please 🎉', 'note')
  await note(page).locator('[class*=chip]', { hasText: '@Olga Berg' }).waitFor()
})

test('paragraphs that nobody edits stay as they are, and plain Markdown is a choice', chromium, async () => {
  const { id, short_id } = await makeTicket(shop.server.api, { content: 'My lamp is broken.' })
  const kept = '* one\n* two\n\nSetext\n===\n\n\n'
  const content = `${kept}__bold__ and  \nline`
  const draft = {
    content,
    content_format: 'markdown',
    is_internal: false,
    media_ids: [],
    mentions: [],
    version: 0,
  }
  assert.equal((await shop.olga.api.put(`/tickets/${id}/draft`, draft)).status, 200)
  const page = await openPage(`all/${short_id}`)
  await untilFormatted(reply(page))
  await reply(page).locator('li', { hasText: 'two' }).waitFor()
  await reply(page).focus()
  await typeKeys(page, 'Control+End', ' more')
  const written = `${kept.trim()}\n\n**bold** and\nline more`
  await untilDraft(id, written)
  await page.getByRole('button', { name: 'More formatting' }).click()
  await page.getByRole('menuitem', { name: 'Write plain Markdown' }).click()
  await untilHolds(reply(page), written)
  await page.goto('/account/appearance')
  await page.getByRole('switch', { name: 'Write plain Markdown' }).uncheck()
})
