import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { createOperator } from '../../src/operators/operators.ts'
import { createLink } from '../../src/users/users.ts'
import { lookOf, untilHolds } from '../browser.ts'
import { unique } from '../cast.ts'
import { useDashboard } from '../dashboard.ts'
import { needs } from '../needs.ts'
import { joinProject } from '../operator.ts'
import { until } from '../until.ts'

const chromium = needs('chromium')

const dashboard = useDashboard()
const { olga } = dashboard

/** The field has the focus, so typing goes into it. */
async function untilTakesKeys(page: Page, label: string): Promise<void> {
  const field = page.getByLabel(label, { exact: true })
  await field.waitFor()
  await until(() => field.evaluate(one => one.matches(':focus')))
}

test('focuses the first field of each page for people who are not signed in', chromium, async () => {
  const { db, acme } = dashboard.server
  const page = await dashboard.open()
  await page.goto('/sign-in')
  await untilTakesKeys(page, 'Email address')
  const setUp = await createLink(db, { purpose: 'set_up', project_id: acme.id })
  await page.goto(`/link/${setUp.token}`)
  await untilTakesKeys(page, 'Email address')
  const email = `${unique()}@example.com`
  const { id } = await createOperator(db, acme.id, { name: 'Nina', email })
  const invite = await createLink(db, { purpose: 'invite', project_id: acme.id, operator_id: id, email })
  await page.goto(`/link/${invite.token}`)
  await untilTakesKeys(page, 'Your name')
})

test(
  'opens the project that a person has just joined, although they worked in another before',
  chromium,
  async () => {
    const { db, acme, rival } = dashboard.server
    const nina = await joinProject(dashboard.server, acme, { name: 'Nina' })
    const page = await dashboard.open(nina)
    await page.goto(`/p/${acme.id}/inbox/spam`)
    await page.getByRole('button', { name: 'Acme: Switch project' }).waitFor()
    const { email } = nina
    const { id } = await createOperator(db, rival.id, { name: 'Nina', email })
    const { token } = await createLink(db, {
      purpose: 'invite',
      project_id: rival.id,
      operator_id: id,
      email,
    })
    await page.goto(`/link/${token}`)
    await page.getByRole('button', { name: 'Join' }).click()
    // The view that was open last belongs to the other project.
    await page.waitForURL(`**/p/${rival.id}/inbox/open`)
  },
)

test(
  "shows one's own status in the profile as others see it, and saving it changes nothing",
  chromium,
  async () => {
    const page = await dashboard.open(olga)
    await page.goto(`/p/${dashboard.server.acme.id}/inbox/open`)
    await page.getByRole('navigation', { name: 'Views' }).waitFor()
    const statusOf = async () => {
      const { items } = (await olga.api.get('/operators')).body
      return items.find(({ id }: { id: string }) => id === olga.id).status
    }
    await until(async () => (await statusOf()) === 'online')
    await page.goto('/account/profile')
    const status = page.getByLabel('Your status').first()
    await untilHolds(status, 'Online')
    await page.getByRole('button', { name: 'Set status' }).click()
    await page.getByText('Saved', { exact: true }).first().waitFor()
    await until(async () => (await statusOf()) === 'online')
    // A read-only field has no border.
    const edge = await page.getByLabel('Email address').evaluate(lookOf, 'borderTopColor')
    assert.equal(edge, 'rgba(0, 0, 0, 0)')
  },
)
