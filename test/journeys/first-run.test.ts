import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { createProject } from '../../src/projects/projects.ts'
import { sendDueMessages } from '../../src/tickets/tickets.ts'
import { createLink } from '../../src/users/users.ts'
import { unique } from '../cast.ts'
import { useDashboard } from '../dashboard.ts'
import { needs } from '../needs.ts'
import { joinProject } from '../operator.ts'
import { tabTo } from '../tab-to.ts'
import { until } from '../until.ts'

const chromium = needs('chromium')
const dashboard = useDashboard()

const viewport = { width: 1440, height: 1000 }

const untilDone = (page: Page, step: string) =>
  page
    .getByRole('listitem')
    .filter({ hasText: `${step} Done` })
    .first()
    .waitFor()

/** A project that somebody has just installed, and its new owner, who has used no mouse yet. */
async function install() {
  const { db } = dashboard.server
  const project = await createProject(db, { name: 'Fresh' })
  const { token } = await createLink(db, { purpose: 'set_up', project_id: project.id })
  const page = await dashboard.open(null, { viewport, reducedMotion: 'reduce' })
  await page.goto(`/link/${token}`)
  await page.getByLabel('Email address').waitFor()
  await until(() => page.getByLabel('Email address').evaluate(one => one.matches(':focus')))
  await page.keyboard.type(`${unique()}@example.com`)
  for (const words of ['Olga', 'correct horse battery']) {
    await page.keyboard.press('Tab')
    await page.keyboard.type(words)
  }
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Get started' }).waitFor()
  return { page, project }
}

test(
  'a new installation leads from the first account to the answered test ticket, without the mouse',
  chromium,
  async () => {
    const { page, project } = await install()
    await page.getByText('0 of 6 done').first().waitFor()
    await tabTo(page, 'Create test ticket', 'button')
    await page.keyboard.press('Enter')
    await page.getByRole('log').getByText('I ordered a bike bell').waitFor()
    await page.keyboard.press('r')
    const reply = page.getByRole('textbox', { name: 'Reply' })
    await until(() => reply.evaluate(one => one.matches(':focus')))
    await page.keyboard.type('It is on its way.')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('log').getByText('It is on its way.').waitFor()
    const sent = page.waitForResponse('**/reschedule')
    await page.getByRole('log').getByRole('button', { name: 'Send now' }).press('Enter')
    await sent
    await sendDueMessages(dashboard.server.db, project.id)
    await page.getByRole('link', { name: 'Get started: 1 of 6 done' }).waitFor()
    await page.getByRole('link', { name: 'Get started: 1 of 6 done' }).focus()
    await page.keyboard.press('Enter')
    await untilDone(page, 'Answer a ticket')
    await tabTo(page, 'Delete test ticket', 'button')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Delete test ticket' }).waitFor({ state: 'detached' })
    await untilDone(page, 'Answer a ticket')
  },
)

test('each step leads to the field that it needs', chromium, async () => {
  const { page, project } = await install()
  const follow = async (link: string) => {
    await page.goto(`/p/${project.id}/first-steps`)
    await page.getByRole('link', { name: link, exact: true }).click()
  }
  await follow('Connect email')
  await until(() => page.getByLabel('Email address').evaluate(one => one.matches(':focus')))
  await follow('Invite')
  await until(() =>
    page
      .getByRole('dialog')
      .getByLabel('Email address')
      .evaluate(one => one.matches(':focus')),
  )
  await follow('Write an article')
  await page.getByRole('dialog', { name: 'New article' }).waitFor()
  await follow('Get the code')
  await until(() => page.locator('#install').evaluate(one => one.matches(':focus')))
  await follow('Set hours')
  await until(() => page.getByRole('switch').and(page.locator(':focus')).isVisible())
})

test('an admin hides the list for everybody, and the command bar shows it again', chromium, async () => {
  const { page, project } = await install()
  await page.getByRole('button', { name: 'Hide this list' }).click()
  await page.getByRole('heading', { name: 'Get started' }).waitFor({ state: 'detached' })
  const { db } = dashboard.server
  const [row] = await db`select has_first_steps from projects where id = ${project.id}`
  assert.equal(row?.has_first_steps, false)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('first steps')
  await page.getByRole('option', { selected: true }).filter({ hasText: 'Show first steps' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Get started', level: 1 }).waitFor()
})

test(
  'an operator sees only what operators can do, and a project that is set up has no list',
  chromium,
  async () => {
    const { server } = dashboard
    await server.db`update projects set has_first_steps = true, first_steps = '{}' where id = ${server.acme.id}`
    const page = await dashboard.open(await joinProject(server, server.acme), { viewport })
    await page.goto(`/p/${server.acme.id}/inbox/open`)
    await page.getByText('0 of 1 done').first().waitFor()
    await page.getByText('Connect a channel').waitFor({ state: 'detached' })
    await server.db`update projects set has_first_steps = false where id = ${server.acme.id}`
    const asked: string[] = []
    page.on('request', request => asked.push(request.url()))
    await page.reload()
    await page.getByRole('heading', { name: 'Today' }).waitFor()
    assert.ok(!asked.some(url => url.endsWith('/first-steps')))
    assert.equal(await page.getByRole('heading', { name: 'Get started' }).count(), 0)
  },
)
