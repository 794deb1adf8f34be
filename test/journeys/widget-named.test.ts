import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { holdBack, untilDrawn, untilHolds, untilIn } from '../browser.ts'
import { unique } from '../cast.ts'
import { openIdentities, type Someone } from '../identities.ts'
import { needs } from '../needs.ts'
import {
  begin,
  call,
  chat,
  field,
  find,
  identified,
  openChat,
  openShop,
  refuseAll,
  type Shop,
  sent,
  start,
  write,
} from '../shop.ts'
import { until } from '../until.ts'

/** The visitor's identity becomes known while they type: their text is not lost, and nobody else sees it. */

const chromium = needs('chromium')

let shop: Shop
let someone: Someone
before(async () => {
  if (chromium.skip) return
  shop = await openShop()
  someone = await openIdentities(shop)
})
after(() => shop?.close())

/** Reloads the page with the given identity, and holds back the response that confirms it. */
async function comeBack(page: Page, boot: object | null = null) {
  const held = await holdBack(page, boot ? 'POST' : 'GET', boot ? /\/identify$/ : /\/session$/)
  const given = encodeURIComponent(JSON.stringify({ project: shop.project.id, ...boot }))
  await page.goto(`${shop.site}/?boot=${given}`)
  await held.answered
  await openChat(page)
  await start(page).click()
  return held
}

for (const [when, who] of [
  ['whose token is rejected', () => refuseAll(shop)],
  ['who is another person than before', () => someone()],
  ['whom the page identifies wrongly', () => ({ ...someone(), signature: '0'.repeat(64) })],
] as const)
  test(`keeps what a visitor ${when} writes while the chat starts`, chromium, async () => {
    const [words, more] = [unique(), unique()]
    const page = await shop.visit({ boot: someone() })
    await begin(page, 'Before')
    const boot = await who()
    const { release } = await comeBack(page, 'user' in boot ? boot : null)
    await write(chat(page), words)
    await chat(page).getByText('Sending').waitFor()
    await field(page).fill(more)
    release()
    await sent(page)
    await chat(page).getByText(words).first().waitFor()
    assert.equal(await field(page).inputValue(), more)
    const found = await find(shop, words)
    assert.equal(found.length, 1)
    const isNamed = 'user' in boot && boot.signature !== '0'.repeat(64)
    assert.equal(found[0]!.external_id, isNamed ? boot.user.id : null)
    await chat(page).getByRole('button', { name: 'Back' }).click()
    assert.equal(await chat(page).getByText('Before').count(), 0)
  })

test(
  'shows the next visitor what was typed since their identification, and nothing from before',
  chromium,
  async () => {
    const page = await shop.visit({ boot: someone() })
    await begin(page, 'Before')
    await field(page).fill('Of the first')
    await chat(page).getByRole('button', { name: 'Back' }).click()
    await start(page).click()
    const { answered, release } = await holdBack(page, 'POST', /\/identify$/)
    await call(page, 'identify', someone())
    await answered
    await field(page).fill('Of the second')
    release()
    await identified(page)
    await chat(page).getByText('Before').first().waitFor({ state: 'detached' })
    await untilHolds(field(page), 'Of the second')
  },
)

test('attributes a message written during an identification to the new person', chromium, async () => {
  const words = unique()
  const next = someone()
  const page = await shop.visit({ boot: someone() })
  await begin(page, 'Before')
  const { answered, release } = await holdBack(page, 'POST', /\/identify$/)
  await call(page, 'identify', next)
  await answered
  await write(chat(page), words)
  await chat(page).getByText('Sending').waitFor()
  release()
  await sent(page)
  const found = await find(shop, words)
  assert.deepEqual(
    found.map(({ external_id }) => external_id),
    [next.user.id],
  )
})

test('empties the message field on logout', chromium, async () => {
  const page = await shop.visit()
  await openChat(page)
  for (const words of ['Of nobody', 'Of somebody']) {
    await start(page).click()
    await field(page).fill(words)
    await call(page, 'logout')
    await start(page).click()
    await untilHolds(field(page), '')
    await write(chat(page), 'Somebody now')
    await sent(page)
    await chat(page).getByRole('button', { name: 'Back' }).click()
  }
})

test('identifies the person again when the same boot follows a logout', chromium, async () => {
  const words = unique()
  const boot = someone()
  const page = await shop.visit({ boot })
  await begin(page, 'Before')
  await call(page, 'logout')
  await start(page).waitFor()
  await call(page, 'boot', { project: shop.project.id, ...boot })
  await untilIn(page, "receivedEvents.filter(([name]) => name === 'identified').length === 2")
  await chat(page).locator('.rows .row').filter({ hasText: 'Before' }).waitFor()
  await start(page).click()
  await write(chat(page), words)
  await sent(page)
  assert.equal((await find(shop, words))[0]!.external_id, boot.user.id)
})

test("does not show one person's draft to another whom the next page identifies", chromium, async () => {
  const page = await shop.visit({ boot: someone() })
  await begin(page, 'Before')
  await chat(page).getByRole('button', { name: 'Back' }).click()
  await start(page).click()
  await field(page).fill('Of the first')
  const { release } = await comeBack(page, someone())
  assert.equal(await field(page).inputValue(), '')
  release()
  await identified(page)
  await untilDrawn(page)
  assert.equal(await field(page).inputValue(), '')
})

test(
  'delivers replies to a newly identified person, and shows operators their presence',
  chromium,
  async () => {
    const [words, answer] = [unique(), unique()]
    const page = await shop.visit({ boot: someone() })
    await begin(page, 'Before')
    await call(page, 'identify', someone())
    await untilIn(page, "receivedEvents.filter(([name]) => name === 'identified').length === 2")
    await start(page).click()
    await write(chat(page), words)
    await sent(page)
    const [found] = await find(shop, words)
    await shop.olga.api.post(`/tickets/${found!.ticket_id}/messages`, { content: answer })
    await chat(page).getByText(answer).first().waitFor()
    await until(async () => {
      const { count } = await shop.server.db`
      select from visitor_tabs
      where project_id = ${shop.project.id} and ticket_id = ${found!.ticket_id} and is_watching`
      return count
    })
  },
)
