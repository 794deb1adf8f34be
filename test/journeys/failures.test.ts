import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import type { BrowserContext, Page, Route } from 'playwright-core'
import { buildApp } from '../../src/app.ts'
import { createLink } from '../../src/users/users.ts'
import { listAccessibilityViolations, untilHolds } from '../browser.ts'
import { makeMessage, makeTicket } from '../cast.ts'
import { type Dashboard, openDashboard } from '../dashboard.ts'
import { wordsIn } from '../editor.ts'
import { freePort } from '../free-port.ts'
import { needs } from '../needs.ts'
import { joinProject, type Person } from '../operator.ts'
import { until } from '../until.ts'

/** Failures at work: the dashboard reports them, and nothing typed is lost. */

const chromium = needs('chromium')

let dashboard: Dashboard
let omar: Person
/** The second server of the last test, which replaces the first one. */
let restarted: FastifyInstance | null = null
before(async () => {
  if (chromium.skip) return
  // A fixed port, so that the restarted server can use the same address.
  dashboard = await openDashboard({ config: { port: await freePort() } })
  omar = await joinProject(dashboard.server, dashboard.server.acme, { name: 'Omar', role: 'owner' })
})
after(async () => {
  restarted?.server.closeAllConnections()
  await restarted?.close()
  await dashboard?.close()
})

interface Ticket {
  id: string
  short_id: string
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const editor = (page: Page) => page.getByRole('textbox', { name: 'Reply', exact: true })

async function openTicket(ticket: Ticket, person = omar): Promise<Page> {
  const page = await dashboard.open(person, { reducedMotion: 'reduce' })
  await page.goto(`/p/${dashboard.server.acme.id}/inbox/open/${ticket.short_id}`)
  await editor(page).waitFor()
  return page
}

/** The replies that operators have written in a ticket, sent or scheduled. */
async function repliesOf(ticket: Ticket): Promise<string[]> {
  const rows = await dashboard.server.db<{ content: string }[]>`
    select content from messages where ticket_id = ${ticket.id} and sender_type = 'operator' order by created_at`
  return rows.map(({ content }) => content)
}

const inLog = (page: Page, words: string) => page.getByRole('log').getByText(words, { exact: true })

/** Answers /readyz, because these tests run the application without its HTTP entry. */
async function watchReadiness(context: BrowserContext): Promise<{ isReady: boolean }> {
  const state = { isReady: true }
  await context.route('**/readyz', route => (state.isReady ? route.fulfill({ json: {} }) : route.abort()))
  return state
}

test(
  'lets a person whose session ended elsewhere sign in again in a dialog, and sends the reply',
  chromium,
  async () => {
    const { api, db, acme } = dashboard.server
    const ticket = await makeTicket(api)
    const nora = await joinProject(dashboard.server, acme, { name: 'Nora' })
    const page = await openTicket(ticket, nora)
    await editor(page).fill('Typed before the session ended')
    // If the session ended earlier, the page might notice and ask before anything is sent.
    const endSession = async (route: Route) => {
      await db`delete from user_sessions where user_id = (select user_id from operators where id = ${nora.id})`
      await route.fallback()
    }
    await page.route('**/messages', endSession, { times: 1 })
    await button(page, 'Send').click()
    const again = page.getByRole('dialog', { name: 'You were signed out' })
    await again.getByLabel('Password', { exact: true }).fill(nora.password)
    assert.deepEqual(await listAccessibilityViolations(page), [])
    await again.getByRole('button', { name: 'Sign in', exact: true }).click()
    await again.waitFor({ state: 'hidden' })
    await inLog(page, 'Typed before the session ended').waitFor()
    assert.deepEqual(await repliesOf(ticket), ['Typed before the session ended'])
  },
)

test('reports a lost network, and keeps the text', chromium, async () => {
  const ticket = await makeTicket(dashboard.server.api)
  const page = await openTicket(ticket)
  const state = await watchReadiness(page.context())
  state.isReady = false
  await page.context().setOffline(true)
  await page.getByText('Can’t reach Deskbell. Trying again…').waitFor()
  await editor(page).fill('Typed in a tunnel')
  await page.getByText('Draft kept on this device').waitFor()
  state.isReady = true
  await page.context().setOffline(false)
  await page.getByText('Can’t reach Deskbell. Trying again…').waitFor({ state: 'hidden' })
  await page.reload({ waitUntil: 'commit' })
  await editor(page).waitFor()
  await untilHolds(editor(page), 'Typed in a tunnel')
})

test('does not post a reply twice if its response was lost', chromium, async () => {
  const ticket = await makeTicket(dashboard.server.api)
  const page = await openTicket(ticket)
  await watchReadiness(page.context())
  let isLost = true
  await page.route('**/tickets/*/messages', async route => {
    if (route.request().method() !== 'POST' || !isLost) return route.fallback()
    isLost = false
    await route.fetch()
    await route.abort()
  })
  await editor(page).fill('Once is enough')
  await button(page, 'Send').click()
  await page.getByText('what you typed is still here').waitFor()
  assert.deepEqual(await repliesOf(ticket), ['Once is enough'])
  await button(page, 'Send').click()
  await until(async () => (await wordsIn(editor(page))) === '')
  await inLog(page, 'Once is enough').waitFor()
  assert.deepEqual(await repliesOf(ticket), ['Once is enough'])
})

test('shows both versions when two people save the same canned answer', chromium, async () => {
  const { api } = omar
  const { body } = await api.post('/canned-answers', { shortcut: 'bye', title: 'Bye', content: 'Goodbye' })
  const page = await dashboard.open(omar)
  await page.goto(`/p/${dashboard.server.acme.id}/settings/canned-answers`)
  await page.getByRole('button', { name: 'Actions for Bye' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await page.getByRole('textbox', { name: 'Text' }).fill('See you')
  await api.patch(`/canned-answers/${body.id}`, { content: 'Farewell' })
  await button(page, 'Save').click()
  const both = page.getByRole('alert')
  await both.getByText('Farewell').waitFor()
  await both.getByText('See you').waitFor()
  await button(page, 'Keep mine').click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  assert.equal((await api.get(`/canned-answers/${body.id}`)).body.content, 'See you')
})

test('shows both versions when two people save the same category', chromium, async () => {
  const { server } = dashboard
  const olga = await joinProject(server, server.acme, { name: 'Olga', role: 'owner' })
  const { body } = await olga.api.post('/knowledge/categories', { title: 'Parcels', icon: '📦' })
  const page = await dashboard.open(olga)
  await page.goto(`/p/${server.acme.id}/settings/knowledge`)
  await button(page, 'Edit Parcels').click()
  await page.getByLabel('Title').fill('Deliveries')
  await olga.api.patch(`/knowledge/categories/${body.id}`, { title: 'Shipping' })
  await button(page, 'Save').click()
  const both = page.getByRole('alert')
  await both.getByText('Shipping').waitFor()
  await both.getByText('Deliveries').waitFor()
  await button(page, 'Keep mine').click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  const { items } = (await olga.api.get('/knowledge/categories')).body
  assert.equal(items[0].translations[0].title, 'Deliveries')
})

test('rejects a file that is too large before uploading it, and keeps the text', chromium, async () => {
  const page = await openTicket(await makeTicket(dashboard.server.api))
  await editor(page).fill('See the film')
  const file = { name: 'film.mp4', mimeType: 'video/mp4', buffer: Buffer.alloc(21 * 1024 * 1024) }
  await page.locator('input[type=file]').first().setInputFiles(file)
  await page.getByText('film.mp4 is larger than 20 MB').waitFor()
  assert.equal(await wordsIn(editor(page)), 'See the film')
})

test('attaches a pasted text of one megabyte as a file', chromium, async () => {
  const page = await openTicket(await makeTicket(dashboard.server.api))
  await editor(page).focus()
  await page.evaluate(`{
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', 'word '.repeat(200_000))
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
    document.activeElement.dispatchEvent(event)
  }`)
  await page.getByText('so we attached it as a file').waitFor()
  await page.getByText('text.txt').waitFor()
  await untilHolds(editor(page), '')
})

test('shows a script in a name, a subject and a message as text', chromium, async () => {
  const name = `<script>document.title = 'taken'</script><img src=x onerror="document.title = 'taken'">`
  const contact = { email: 'script@example.com', full_name: name }
  const ticket = await makeTicket(dashboard.server.api, { contact, subject: name, content: name })
  const page = await openTicket(ticket)
  await inLog(page, name).first().waitFor()
  assert.equal(await page.locator('img[src=x]').count(), 0)
  assert.doesNotMatch(await page.title(), /^taken/)
  assert.equal(await page.evaluate(`[...document.scripts].some(one => one.text.includes('taken'))`), false)
})

test('explains that a link has expired or was used', chromium, async () => {
  const { db, acme } = dashboard.server
  const [old, used] = [
    await createLink(db, { purpose: 'set_up', project_id: acme.id }),
    await createLink(db, {
      purpose: 'reset',
      user_id: (await omar.own.get('/me')).body.user.id,
      email: null,
    }),
  ]
  await db`update links set expires_at = now() - interval '1 second' where purpose = 'set_up'`
  await db`update links set used_at = now() where purpose = 'reset'`
  const page = await dashboard.open()
  await page.goto(`/link/${old.token}`)
  await page.getByText('This link has expired').waitFor()
  await page.goto(`/link/${used.token}`)
  await page.getByText('This link was already used').waitFor()
})

// This test must be the last, because it closes the first server.
test(
  'keeps the page and its text across a server restart, and shows messages that arrived during it',
  chromium,
  async () => {
    const { server } = dashboard
    const ticket = await makeTicket(server.api)
    const page = await openTicket(ticket)
    const state = await watchReadiness(page.context())
    await editor(page).fill('Typed while the server was away')
    state.isReady = false
    const { port } = new URL(server.url)
    server.app.server.closeAllConnections()
    await server.app.close()
    await page.getByText('Can’t reach Deskbell. Trying again…').waitFor()
    await button(page, 'Send').click()
    await page.getByText('what you typed is still here').waitFor()
    const { config, db, log, vault, stopping } = server
    const next = await buildApp({ config, db, log, vault, stopping })
    restarted = next
    await next.listen({ port: Number(port), host: '127.0.0.1' })
    await makeMessage(server.api, ticket.id, { content: 'Written meanwhile' })
    state.isReady = true
    await page.getByText('Can’t reach Deskbell. Trying again…').waitFor({ state: 'hidden' })
    await inLog(page, 'Written meanwhile').waitFor()
    assert.equal(await wordsIn(editor(page)), 'Typed while the server was away')
    await makeMessage(server.api, ticket.id, { content: 'Heard live again' })
    await inLog(page, 'Heard live again').waitFor()
  },
)
