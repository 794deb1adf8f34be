import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { pressItem } from '../browser.ts'
import { makeTicket } from '../cast.ts'
import { useDashboard } from '../dashboard.ts'
import { needs } from '../needs.ts'

/** Where the focus is after a dialog that an item of a menu has opened. All by keyboard. */

const chromium = needs('chromium')
const places = { ticket: '', contact: '' }
const dashboard = useDashboard(async ({ server, olga }) => {
  const { short_id, contact_id, id } = await makeTicket(server.api, { content: 'Hello' })
  await olga.api.post(`/tickets/${id}/messages`, { content: 'Look', is_internal: true })
  await olga.api.post('/tags', { name: 'vip', color: '#be123c' })
  await olga.api.post('/departments', { name: 'Billing' })
  Object.assign(places, { ticket: `inbox/open/${short_id}`, contact: `contacts/${contact_id}` })
})

/** Before the dialog has taken the focus, an Escape would be for the page, and an Enter for the field that gets it. */
const untilFocused = (page: Page) => page.locator('[role=dialog]:focus-within').waitFor()
const cancel = async (page: Page) => {
  await untilFocused(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).press('Enter')
}
const pressEscape = async (page: Page) => {
  await untilFocused(page)
  await page.keyboard.press('Escape')
}

interface Round {
  menu: Locator
  item: string
  close(page: Page): Promise<unknown>
}

/** Opens the dialog through the menu, closes it, and waits until the button of the menu has the focus. */
async function goRound({ menu, item, close }: Round): Promise<void> {
  const page = menu.page()
  await menu.press('Enter')
  await pressItem(page.getByRole('menuitem', { name: new RegExp(`^${item}`) }))
  await page.getByRole('dialog').waitFor()
  await close(page)
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await menu.and(page.locator(':focus')).waitFor()
}

async function openPage(path: string): Promise<Page> {
  const page = await dashboard.open(dashboard.olga, { reducedMotion: 'reduce' })
  await page.goto(`/p/${dashboard.server.acme.id}/${path}`)
  return page
}

test("a dialog of a ticket's menu returns the focus to the button of the menu", chromium, async () => {
  const page = await openPage(places.ticket)
  const menu = page.locator('header').getByRole('button', { name: 'More actions' })
  await goRound({ menu, item: 'Edit subject', close: pressEscape })
  await goRound({ menu, item: 'Snooze', close: pressEscape })
  await goRound({ menu, item: 'Delete', close: cancel })
})

test("a dialog of a message's menu returns the focus to the button of the menu", chromium, async () => {
  const page = await openPage(places.ticket)
  const menu = page.getByRole('log').getByRole('button', { name: 'More actions' }).last()
  await goRound({ menu, item: 'Edit', close: pressEscape })
  await goRound({ menu, item: 'Forward…', close: pressEscape })
})

test("a dialog of a contact's menus returns the focus to the button of the menu", chromium, async () => {
  const page = await openPage(places.contact)
  const menu = page.getByRole('button', { name: 'More actions' })
  await goRound({ menu, item: 'Merge', close: pressEscape })
  await goRound({ menu, item: 'Block', close: cancel })
  const identity = page.getByRole('button', { name: /^Actions for / })
  await goRound({ menu: identity, item: 'Correct', close: pressEscape })
  await goRound({ menu: identity, item: 'Move', close: pressEscape })
  await goRound({ menu: identity, item: 'Remove', close: cancel })
})

test('a dialog of a menu in settings returns the focus to the button of the menu', chromium, async () => {
  const page = await openPage('settings/tags')
  const tag = page.getByRole('button', { name: 'Actions for vip' })
  await goRound({ menu: tag, item: 'Edit', close: pressEscape })
  await goRound({ menu: tag, item: 'Delete', close: cancel })
  await page.goto(`/p/${dashboard.server.acme.id}/settings/departments`)
  await goRound({
    menu: page.getByRole('button', { name: 'Actions for Billing' }),
    item: 'Edit',
    close: pressEscape,
  })
})

test("the dialog of one's status returns the focus to the button of the menu", chromium, async () => {
  const page = await openPage('inbox/open')
  await goRound({
    menu: page.getByRole('button', { name: /: You$/ }),
    item: 'Custom status…',
    close: pressEscape,
  })
})
