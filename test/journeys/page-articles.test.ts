import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { listAccessibilityViolations } from '../browser.ts'
import { useDashboard } from '../dashboard.ts'
import { needs } from '../needs.ts'

const chromium = needs('chromium')

const dashboard = useDashboard()
const { olga } = dashboard

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

test('an admin chooses articles and a message for pages of the website', chromium, async () => {
  await olga.api.patch('/widget', { is_on: true })
  const { id } = (await olga.api.post('/knowledge/articles', { title: 'Prices', markdown: 'Low' })).body
  await olga.api.post(`/knowledge/articles/${id}/publish`)
  const viewport = { width: 1440, height: 900 }
  const page = await dashboard.open(olga, { viewport, reducedMotion: 'reduce' })
  await page.goto(`/p/${dashboard.server.acme.id}/settings/widget`)
  await press(page, 'Add page')
  await press(page, 'Add message')
  await press(page, 'Save')
  await page.getByText('Choose at least one article.').waitFor()
  const first = page.getByRole('group', { name: 'Page 1' })
  await first.getByLabel('Address', { exact: true }).fill('/pricing')
  await first.getByLabel('Show these articles first').first().click()
  await page.getByRole('option', { name: 'Prices' }).click()
  await page.keyboard.press('Escape')
  const message = page.getByRole('group', { name: 'Message 1' })
  await message.getByLabel('Address', { exact: true }).fill('/pricing')
  await message.getByLabel('Message', { exact: true }).fill('Which plan fits?')
  await page.getByRole('radiogroup', { name: 'Preview' }).getByText('Message', { exact: true }).click()
  await page.getByRole('region', { name: 'Preview' }).getByText('Which plan fits?').waitFor()
  assert.deepEqual(await listAccessibilityViolations(page), [])
  // From before the click, because this message disappears after four seconds. Another text of the page, the
  // link to the saved views, contains the word too.
  await Promise.all([page.getByText('Saved', { exact: true }).waitFor(), press(page, 'Save')])
  const { page_articles, proactive_messages } = (await olga.api.get('/widget')).body
  assert.deepEqual(page_articles, [{ match: 'contains', address: '/pricing', article_ids: [id] }])
  assert.partialDeepStrictEqual(proactive_messages, [
    { address: '/pricing', after_seconds: 20, texts: { en: 'Which plan fits?' }, operator_id: null },
  ])
})
