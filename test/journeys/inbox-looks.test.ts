import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { listAccessibilityViolations, untilIn } from '../browser.ts'
import { makeMessage, makeTicket, unique } from '../cast.ts'
import { useDashboard } from '../dashboard.ts'
import { needs } from '../needs.ts'

const chromium = needs('chromium')

let number: string
let contactId: string
const dashboard = useDashboard(async ({ server, olga }) => {
  const ticket = await makeTicket(server.api, {
    contact: {
      email: `${unique()}@example.com`,
      full_name: 'Ann '.repeat(20),
      custom_fields: { order: 'A-17' },
    },
    subject: 'Cannot pay '.repeat(12),
    priority: 'urgent',
    tags: ['vip', 'billing', 'a-very-long-tag-of-many-words'],
    content: `Hello\n\n${'verylongword'.repeat(30)}\n\nhttps://example.com`,
    content_format: 'markdown',
  })
  number = ticket.short_id
  contactId = ticket.contact_id
  await olga.api.post(`/tickets/${ticket.id}/messages`, { content: 'A note', is_internal: true })
  await makeMessage(server.api, ticket.id, {
    content: '| a | b |\n|---|---|\n| 1 | 2 |',
    content_format: 'markdown',
  })
  await makeTicket(server.api)
})
const { olga } = dashboard

const listPaths = (): string[] => {
  const base = `/p/${dashboard.server.acme.id}`
  return [
    `${base}/inbox/open`,
    `${base}/inbox/open/${number}`,
    `${base}/contacts`,
    `${base}/contacts/${contactId}`,
  ]
}

const visit = async (page: Page, path: string) => {
  await page.goto(path)
  await page.getByText('Ann Ann').first().waitFor({ state: 'attached' })
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.locator('[aria-busy=true], .mantine-Skeleton-root').first().waitFor({ state: 'detached' })
}

for (const [colorScheme, width, dir] of [
  ['light', 390, 'ltr'],
  ['dark', 1440, 'ltr'],
  ['light', 1440, 'rtl'],
  ['dark', 390, 'rtl'],
] as const) {
  test(
    `the inbox and contacts have no accessibility violations at ${width} px, ${colorScheme}, ${dir}`,
    chromium,
    async () => {
      const page = await dashboard.open(olga, {
        colorScheme,
        viewport: { width, height: 800 },
        reducedMotion: 'reduce',
      })
      await page.addInitScript(`localStorage.setItem('deskbell', '{"dir":"${dir}"}')`)
      for (const path of listPaths()) {
        await visit(page, path)
        assert.deepEqual(await listAccessibilityViolations(page), [], path)
        // Some parts change their layout one frame later.
        await untilIn(page, `document.documentElement.scrollWidth <= ${width}`)
      }
    },
  )
}

test('the dialogs of a ticket have no accessibility violations', chromium, async () => {
  const page = await dashboard.open(olga, { reducedMotion: 'reduce', viewport: { width: 1440, height: 900 } })
  await visit(page, listPaths()[1]!)
  for (const key of ['a', 's', 'p', 'l', 'e', 'm', 'Shift+M', 'i', 'Control+k', '?']) {
    await page.keyboard.press(key)
    await page.getByRole('dialog').waitFor()
    assert.deepEqual(await listAccessibilityViolations(page), [], key)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
  }
})

test('replaces the list by the conversation on a phone, and leads back to it', chromium, async () => {
  const page = await dashboard.open(olga, { viewport: { width: 390, height: 800 } })
  await visit(page, listPaths()[0]!)
  await page.getByRole('link', { name: /Cannot pay/ }).click()
  await page.getByRole('log').waitFor()
  assert.equal(await page.getByRole('region', { name: 'Tickets' }).isVisible(), false)
  await page.goBack()
  await page.getByRole('link', { name: /Cannot pay/ }).waitFor()
  await page.getByRole('link', { name: /Cannot pay/ }).click()
  await page.getByRole('button', { name: 'Back to list' }).click()
  await page.getByRole('link', { name: /Cannot pay/ }).waitFor()
})

test('requests nothing twice when an inbox opens, and preloads five responses', chromium, async () => {
  const page = await dashboard.open(olga)
  // With a live stream, the page would reload everything a little later.
  await page.addInitScript('EventSource = class extends EventTarget { close() {} }')
  await page.goto(`/p/${dashboard.server.acme.id}/inbox/open/${number}`)
  await page.getByRole('log').getByText('A note').waitFor()
  const listed = "performance.getEntriesByType('resource').filter(({ name }) => name.includes('/api/'))"
  const named = "filter(one => one.initiatorType === 'link').length"
  // The browser lists a response only once it is complete.
  await untilIn(page, `${listed}.${named} >= 5`)
  const answers = await page.evaluate<[name: string, by: string][]>(
    `${listed}.map(one => [one.name, one.initiatorType])`,
  )
  assert.equal(new Set(answers.map(([name]) => name)).size, answers.length, JSON.stringify(answers))
  assert.equal(answers.filter(([, by]) => by === 'link').length, 5)
})
