import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { keepToasts, listAccessibilityViolations, listSmallTargets, untilIn } from '../browser.ts'
import { makeMessage, makeTicket } from '../cast.ts'
import { useDashboard } from '../dashboard.ts'
import { needs } from '../needs.ts'
import { makePicture, makeUpload } from '../upload.ts'

const chromium = needs('chromium')

/** More than one page of messages. */
const messagesCount = 45

let number: string
const dashboard = useDashboard(async ({ server, olga }) => {
  const ticket = await makeTicket(server.api, { subject: 'Broken lamp', content: 'First message' })
  number = ticket.short_id
  for (let at = 2; at <= messagesCount; at++)
    await makeMessage(server.api, ticket.id, { content: `Message number ${at}` })
  await olga.api.post(`/tickets/${ticket.id}/messages`, { content: 'A secret note', is_internal: true })
  const [one, other] = [await makePicture(server.api), await makePicture(server.api)]
  const pdf = await makeUpload(server.api, { filename: 'bill.pdf', content: '%PDF-1.4\n%%EOF' })
  await makeMessage(server.api, ticket.id, { content: 'Pictures', media_ids: [one.id, other.id, pdf.id] })
})
const { olga } = dashboard

async function openTicket(options = {}): Promise<Page> {
  const page = await dashboard.open(olga, { reducedMotion: 'reduce', ...options })
  await keepToasts(page)
  await page.goto(`/p/${dashboard.server.acme.id}/inbox/open/${number}`)
  await page.getByRole('log').getByText('Pictures').waitFor()
  return page
}

const pictures = (page: Page) => page.getByRole('log').getByRole('link', { name: 'Image a.png' })

for (const [colorScheme, width] of [
  ['light', 1280],
  ['dark', 390],
] as const) {
  test(`a picture opens large, and arrow keys show the others, ${colorScheme}`, chromium, async () => {
    const page = await openTicket({ colorScheme, viewport: { width, height: 800 } })
    await pictures(page).first().press('Enter')
    const dialog = page.getByRole('dialog', { name: /^a\.png/ })
    await dialog.getByText('1 of 2').waitFor()
    await dialog.getByRole('img', { name: 'Image a.png' }).waitFor()
    assert.deepEqual(await listAccessibilityViolations(page), [])
    await page.keyboard.press('ArrowRight')
    await dialog.getByText('2 of 2').waitFor()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowLeft')
    await dialog.getByText('1 of 2').waitFor()
    await page.keyboard.press('+')
    await dialog.getByRole('button', { name: 'Zoom out' }).waitFor()
    const file = page.waitForEvent('download')
    await dialog.getByRole('link', { name: 'Download a.png' }).click()
    assert.equal((await file).suggestedFilename(), 'a.png')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await untilIn(page, `document.activeElement.matches('[role=log] a')`)
  })
}

test('a PDF opens in a new tab', chromium, async () => {
  const page = await openTicket()
  const link = page.getByRole('link', { name: /^Open in a new tab bill\.pdf/ })
  assert.equal(await link.getAttribute('target'), '_blank')
  const answer = await page.request.get((await link.getAttribute('href'))!)
  assert.match(answer.headers()['content-disposition']!, /^inline/)
  // Chromium shows no PDF in a sandbox.
  assert.doesNotMatch(answer.headers()['content-security-policy']!, /sandbox|script-src/)
})

/** Prints by keyboard, and returns what is on paper. */
async function print(page: Page, hasNotes: boolean): Promise<string> {
  await page.evaluate('window.print = () => { document.documentElement.dataset.printed = "yes" }')
  await page.keyboard.press('Control+p')
  const dialog = page.getByRole('dialog', { name: 'Print conversation' })
  await dialog.waitFor()
  assert.deepEqual(await listAccessibilityViolations(page), [])
  if (hasNotes) await page.keyboard.press('Space')
  await dialog.getByRole('button', { name: 'Print', exact: true }).press('Enter')
  await untilIn(page, 'document.documentElement.dataset.printed === "yes"')
  await page.emulateMedia({ media: 'print' })
  return page.locator('body').innerText()
}

test('Ctrl-P prints all messages with names and times, without controls and notes', chromium, async () => {
  const page = await openTicket({ colorScheme: 'dark' })
  const paper = await print(page, false)
  assert.match(paper, /Broken lamp/)
  assert.match(paper, /First message/)
  assert.match(paper, /Pictures/)
  assert.match(paper, /\d:\d\d/)
  for (const word of [/A secret note/, /Close/, /Send/, /Load earlier/, /Unassigned/, /Settings/])
    assert.doesNotMatch(paper, word)
  assert.equal(await page.evaluate('getComputedStyle(document.documentElement).colorScheme'), 'light')
  await page.evaluate(`window.dispatchEvent(new Event('afterprint'))`)
  assert.equal(await page.evaluate('getComputedStyle(document.documentElement).colorScheme'), 'dark')
})

test('notes are printed, and marked, if somebody chooses them', chromium, async () => {
  const page = await openTicket()
  const paper = await print(page, true)
  assert.match(paper, /Internal note\s+A secret note/)
})

test(
  'a message about an action is at the bottom centre, and does not cover the button Send',
  chromium,
  async () => {
    const page = await openTicket({ viewport: { width: 1280, height: 800 } })
    await page
      .getByRole('complementary')
      .or(page.getByRole('button', { name: 'Send' }))
      .first()
      .waitFor()
    await page.keyboard.press('u')
    const undo = page.getByRole('button', { name: /^Undo/ })
    await page.keyboard.press('c')
    await undo.waitFor()
    const toast = (await undo.locator('..').boundingBox())!
    const send = (await page.getByRole('button', { name: 'Send', exact: true }).boundingBox())!
    const about = (await page.getByRole('article', { name: 'Broken lamp' }).boundingBox())!
    assert.ok(toast.y + toast.height <= send.y, 'covers Send')
    assert.ok(Math.abs(toast.x + toast.width / 2 - (about.x + about.width / 2)) < 3, 'is not in the centre')
    await page.keyboard.press('z')
    await page.getByRole('button', { name: 'Close', exact: true }).waitFor()
  },
)

test('on a phone, the tags are one line, and a button shows the others', chromium, async () => {
  const tags = ['invoice', 'second reminder', 'vip', 'legal', 'escalated']
  const { short_id } = await makeTicket(dashboard.server.api, { subject: 'Many tags', tags })
  const page = await dashboard.open(olga, { viewport: { width: 320, height: 700 } })
  await page.goto(`/p/${dashboard.server.acme.id}/inbox/open/${short_id}`)
  const header = page.locator('header', { has: page.getByRole('heading', { name: 'Many tags' }) })
  const more = header.getByRole('button', { name: 'Show 3 more tags' })
  await more.waitFor()
  const topOf = async (words: string) =>
    Math.round((await header.getByText(words, { exact: true }).boundingBox())!.y)
  assert.ok(Math.abs((await topOf('invoice')) - (await topOf('second reminder'))) <= 1)
  assert.equal(await header.getByText('legal', { exact: true }).count(), 0)
  await more.press('Enter')
  for (const tag of tags) await header.getByText(tag, { exact: true }).waitFor()
  assert.deepEqual(await listAccessibilityViolations(page), [])
  assert.deepEqual(await listSmallTargets(page), [])
  await header.getByRole('button', { name: 'Show fewer tags' }).press('Enter')
  await more.waitFor()
})
