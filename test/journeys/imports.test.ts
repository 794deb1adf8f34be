import assert from 'node:assert/strict'
import { test } from 'node:test'
import { continueRemovals } from '../../src/imports/imports.ts'
import { listAccessibilityViolations, untilIn } from '../browser.ts'
import { makeMessage } from '../cast.ts'
import { useDashboard } from '../dashboard.ts'
import { importItems, oldTicket } from '../imports.ts'
import { needs } from '../needs.ts'

/** The imports page in the settings. */

const chromium = needs('chromium')
const dashboard = useDashboard()
const { olga } = dashboard

test('an admin sees the imports and removes one', chromium, async () => {
  const { api, db, acme } = dashboard.server
  const [kept] = await importItems(api, 'tickets', [oldTicket(), oldTicket()])
  await makeMessage(api, kept.id, { content: 'Later' })
  const viewport = { width: 390, height: 800 }
  const page = await dashboard.open(olga, { viewport, colorScheme: 'dark', reducedMotion: 'reduce' })
  await page.goto(`/p/${acme.id}/settings/imports`)
  await page.getByText('2 tickets · 4 messages · 2 new contacts · 0 files').waitFor()
  assert.deepEqual(await listAccessibilityViolations(page), [])
  await untilIn(page, 'document.documentElement.scrollWidth <= 390')
  await page.getByRole('button', { name: 'Remove' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('This deletes 2 tickets').waitFor()
  assert.deepEqual(await listAccessibilityViolations(page), [])
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await page.getByText('Removing', { exact: true }).waitFor()
  while ((await continueRemovals(db, acme.id)) > 0);
  await page.getByText('1 ticket kept').waitFor()
  await page.getByRole('button', { name: 'Remove' }).click()
  await dialog.getByRole('switch').click()
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await page.getByText('Removing', { exact: true }).waitFor()
  while ((await continueRemovals(db, acme.id)) > 0);
  await page.getByText('No imports yet').waitFor()
})
