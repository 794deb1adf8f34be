import assert from 'node:assert/strict'
import { test } from 'node:test'
import { holdBack } from '../browser.ts'
import { makeTicket, unique } from '../cast.ts'
import { useDashboard } from '../dashboard.ts'
import { needs } from '../needs.ts'
import { until } from '../until.ts'

/** Changes of this page that are under way while events of others arrive. */

const chromium = needs('chromium')
const dashboard = useDashboard()
const { olga } = dashboard

test(
  'a column that is being saved stays in the table when a ticket arrives at the same time',
  chromium,
  async () => {
    const { api, acme } = dashboard.server
    await makeTicket(api, { content: 'Hello' })
    const { body: view } = await olga.api.post('/views', { name: 'Of all', filters: {}, layout: 'table' })
    const page = await dashboard.open(olga, {
      viewport: { width: 1440, height: 900 },
      reducedMotion: 'reduce',
    })
    await page.goto(`/p/${acme.id}/inbox/${view.id}`)
    await page.getByRole('button', { name: 'Display', exact: true }).press('Enter')
    const box = page.getByRole('checkbox', { name: 'Organization' })
    await box.waitFor()
    const list: string[] = []
    page.on('request', one => new URL(one.url()).pathname.endsWith('/views') && list.push(one.method()))
    const saving = await holdBack(page, 'PATCH', /\/views\//, 1)
    await box.press('Space')
    await saving.answered
    list.length = 0
    const subject = `Later ${unique()}`
    await olga.api.post('/views', { name: 'Another', filters: {} })
    await makeTicket(api, { subject, content: 'Hello' })
    // The event of the ticket outdates the views, too.
    await page.getByText(subject).first().waitFor()
    assert.deepEqual(list, [])
    assert.equal(await box.isChecked(), true)
    saving.release()
    await page.getByRole('link', { name: /^Another/ }).waitFor()
    assert.equal(await box.isChecked(), true)
    await until(async () => (await olga.api.get('/views')).text.includes('organization'))
  },
)
