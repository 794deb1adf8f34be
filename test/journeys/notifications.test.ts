import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { holdBack, listAccessibilityViolations, listSmallTargets, tick, untilIn } from '../browser.ts'
import { makeTicket } from '../cast.ts'
import { useDashboard } from '../dashboard.ts'
import { needs } from '../needs.ts'
import { type PushService, startPushService } from '../push-service.ts'
import { tabTo } from '../tab-to.ts'
import { until } from '../until.ts'

/** A person chooses notifications, and gets one. */

const chromium = needs('chromium')
const dashboard = useDashboard()
const { olga } = dashboard
let service: PushService

before(async () => {
  service = await startPushService()
})
after(() => service.receiver.close())

const choiceOf = async () => (await olga.own.get('/me')).body.user.settings.notifications

/**
 * The page, in a browser whose push service is that of this test: the real ones cannot be reached here. Chromium
 * without windows refuses all notifications.
 */
async function openPage(options = {}): Promise<Page> {
  const page = await dashboard.open(olga, { reducedMotion: 'reduce', ...options })
  const { endpoint, ...keys } = service.addBrowser().registration
  await page.addInitScript(`
    PushManager.prototype.subscribe = async () => ({ toJSON: () => (${JSON.stringify({ endpoint, keys })}) })
    Object.defineProperty(Notification, 'permission', { get: () => 'granted' })
    Notification.requestPermission = async () => 'granted'
  `)
  await page.goto('/account/notifications')
  await page.getByRole('heading', { name: 'Notifications', level: 1 }).waitFor()
  return page
}

test('a summary by email is chosen by keyboard, and stored', chromium, async () => {
  const page = await openPage()
  await tabTo(page, 'Never', 'radio')
  await page.keyboard.press('ArrowDown')
  await until(async () => (await choiceOf())?.digest === 'hourly')
  await page.keyboard.press('ArrowDown')
  await until(async () => (await choiceOf())?.digest === 'daily')
  const time = page.getByLabel('Time', { exact: true })
  await time.fill('07:45')
  await time.blur()
  await until(async () => (await choiceOf())?.digest_at === '07:45')
  assert.equal(
    (await choiceOf()).digest_timezone,
    await page.evaluate('Intl.DateTimeFormat().resolvedOptions().timeZone'),
  )
  assert.deepEqual(await listAccessibilityViolations(page), [])
})

test('notifications of a browser are turned on, tried and turned off by keyboard', chromium, async () => {
  const page = await openPage()
  await tabTo(page, 'Notify me in this browser', 'switch')
  await page.keyboard.press('Space')
  await page.getByText(/\(this browser\)/).waitFor()
  await tabTo(page, /^Hide names and texts/, 'switch')
  await page.keyboard.press('Space')
  await until(async () => (await choiceOf())?.hides_content === true)
  await tabTo(page, /^Send test notification/, 'button')
  // From before the key, because this message disappears after four seconds.
  await Promise.all([page.getByText('Test notification sent').waitFor(), page.keyboard.press('Enter')])
  assert.equal(service.receiver.requests.length, 1)
  assert.deepEqual([await listAccessibilityViolations(page), await listSmallTargets(page)], [[], []])
  await page.reload()
  // Until the devices are loaded, the switch is off.
  await page.getByText(/\(this browser\)/).waitFor()
  await tabTo(page, 'Notify me in this browser', 'switch')
  await page.keyboard.press('Space')
  await page.getByText(/\(this browser\)/).waitFor({ state: 'detached' })
  assert.deepEqual((await olga.own.get('/me/devices')).body.items, [])
})

test('choices in quick succession are all stored, even if the first response is late', chromium, async () => {
  const page = await openPage()
  const [first, ...others] = ['When a ticket is assigned to me', 'When a note mentions me', 'Sound']
  const toggle = async (name: string) => {
    const choice = page.getByRole('switch', { name, exact: true })
    const isOn = await choice.isChecked()
    await choice.click()
    await choice.and(page.locator(isOn ? ':not(:checked)' : ':checked')).waitFor()
  }
  const { answered, release } = await holdBack(page, 'PATCH', /\/me$/, 1)
  await toggle(first!)
  await answered
  await toggle(others[0]!)
  await until(async () => (await choiceOf()).mentioned_by_email === false)
  const arrived = page.waitForEvent('requestfinished', one => one.method() === 'PATCH')
  release()
  await arrived
  await toggle(others[1]!)
  await until(async () => (await choiceOf()).sounds === true)
  const { assigned_by_email, mentioned_by_email } = await choiceOf()
  assert.deepEqual([assigned_by_email, mentioned_by_email], [false, false])
})

test('the page fits a phone, also from right to left', chromium, async () => {
  const page = await openPage({ viewport: { width: 320, height: 640 }, colorScheme: 'dark' })
  await page.getByRole('radio', { name: 'Every day' }).click()
  await page.evaluate("document.documentElement.dir = 'rtl'")
  await untilIn(page, 'document.documentElement.scrollWidth <= 320')
  assert.deepEqual(await listAccessibilityViolations(page), [])
})

test(
  'a pushed notification names the ticket, and a click opens it in the open tab, even while that is loading',
  chromium,
  async () => {
    const ticket = await makeTicket(dashboard.server.api, { subject: 'Dark lamp', content: 'It went out.' })
    const page = await openPage()
    const started = page.context().waitForEvent('serviceworker')
    await tick(page.getByRole('switch', { name: 'Notify me in this browser' }))
    await page.getByText(/\(this browser\)/).waitFor()
    const content = {
      id: 'one',
      kind: 'waiting',
      project_id: dashboard.server.acme.id,
      number: ticket.short_id,
    }
    const worker = await started
    await worker.evaluate(`
    self.shown = []
    registration.showNotification = async (title, options) => {
      self.shown = [...self.shown.filter(({ tag }) => tag !== options.tag), { title, ...options }]
    }
  `)
    const push = (more: object) =>
      worker.evaluate(`dispatchEvent(Object.assign(new Event('push'), {
      waitUntil() {},
      data: { json: () => (${JSON.stringify({ ...content, ...more })}) },
    }))`)
    const shown = () =>
      worker.evaluate<[string, string | null][]>('self.shown.map(one => [one.title, one.body ?? null])')
    await push({})
    await until(async () => (await shown()).length > 0)
    assert.deepEqual(await shown(), [[`New message in #${ticket.short_id}`, null]])
    await push({ subject: 'Dark lamp', author: 'Ann', text: 'It went out.' })
    await until(async () => (await shown())[0]?.[0] === 'Dark lamp')
    assert.deepEqual(await shown(), [['Dark lamp', 'Ann: It went out.']], 'the same id replaces it')
    const click = () =>
      worker.evaluate(`new Promise(done => dispatchEvent(Object.assign(new Event('notificationclick'), {
      // The worker may focus a page only after a real click.
      waitUntil: work => work.then(done, () => done()),
      notification: { close() {}, data: self.shown[0].data },
    })))`)
    await click()
    await page.getByRole('heading', { name: 'Dark lamp' }).waitFor()
    // The same while the page is still loading.
    const me = await holdBack(page, 'GET', /\/me$/)
    await page.goto(`/p/${dashboard.server.acme.id}/inbox/closed`, { waitUntil: 'commit' })
    await me.answered
    await click()
    me.release()
    await page.getByRole('heading', { name: 'Dark lamp' }).waitFor()
  },
)
