import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeMessage, makeTicket, unique } from '../../test/cast.ts'
import { untilCounted } from '../../test/counted.ts'
import { joinCast, type Person } from '../../test/operator.ts'
import { startServer } from '../../test/server.ts'
import { sorts } from './query-schema.ts'

const server = await startServer({ delivers: false })
const { api, outsider } = server
let omar: Person
let number: string
const letters = new Map<string, string>()
const word = `about${unique()}`

/** Ticket `t`, which contains its own number, is between others that contain it too. */
before(async () => {
  ;({ omar } = await joinCast(server))
  for (let n = 0; n < 5; n++) await makeTicket(outsider, { content: `Tickets 1 2 3 4 5 6 7 8 ${word}` })
  const made = []
  for (let n = 0; n < 5; n++)
    made.push(await makeTicket(api, { subject: word, priority: n === 2 ? 'high' : 'low' }))
  number = made[2].short_id
  for (const [at, { id }] of made.entries()) {
    letters.set(id, 'abtcd'[at]!)
    if (at !== 3) await makeMessage(api, id, { content: `See ${number}` })
  }
  // Found by its subject only, so that the order by last message has one without a message.
  await api.patch(`/tickets/${made[3].id}`, { subject: `Like ${number}` })
})
after(() => server.close())

const list = async (q: string, more = '') => {
  const { status, body, text } = await api.get(`/tickets?q=${encodeURIComponent(q)}&${more}`)
  assert.equal(status, 200, text)
  return body
}
const namesOf = ({ items }: { items: { id: string }[] }): string =>
  items.map(({ id }) => letters.get(id) ?? '?').join('')

test('#12 returns ticket 12 before the tickets that contain 12, in every order, and counts it once', async () => {
  for (const sort of sorts) {
    const body = await list(`#${number}`, `sort=${sort}`)
    const others = namesOf(await list(number, `sort=${sort}`)).replace('t', '')
    assert.deepEqual(
      [namesOf(body), body.total, body.pages, body.has_more],
      [`t${others}`, 5, 1, false],
      sort,
    )
  }
})

test('with pages and cursors of any size, #12 returns ticket 12 once', async () => {
  for (const sort of sorts) {
    const all = namesOf(await list(`#${number}`, `sort=${sort}`))
    for (const size of [1, 2, 4, 5]) {
      const query = `sort=${sort}&page_size=${size}`
      let paged = ''
      let followed = ''
      let cursor: string | null = ''
      for (let page = 1; page <= 5; page++) {
        const body = await untilCounted(() => list(`#${number}`, `${query}&page=${page}`))
        paged += namesOf(body)
        if (body.items.length) assert.deepEqual([body.total, body.has_more], [5, page * size < 5], query)
      }
      while (cursor !== null) {
        const body = await list(`#${number}`, cursor ? `${query}&cursor=${cursor}` : query)
        followed += namesOf(body)
        cursor = body.next_cursor
      }
      assert.deepEqual([paged, followed], [all, all], query)
    }
  }
})

test('other words apply to the other tickets only', async () => {
  assert.equal(namesOf(await list(`#${number} ${word}`, 'sort=created_at')), 't')
  const alone = await list(`#${number} ${unique()}`)
  assert.deepEqual([namesOf(alone), alone.total, alone.next_cursor], ['t', 1, null])
})

test('filters, operators and excluded words apply to the ticket of the number too', async () => {
  const others = 'abcd'
  const [high, low] = await Promise.all(
    ['high', 'low'].map(one => list(`#${number}`, `priority=${one}&sort=created_at`)),
  )
  assert.deepEqual([namesOf(high), high.total, namesOf(low), low.total], ['t', 1, others, 4])
  assert.equal(namesOf(await list(`#${number} priority:high`)), 't')
  assert.equal(namesOf(await list(`#${number} -priority:high`, 'sort=created_at')), others)
  assert.equal(namesOf(await list(`#${number} -${word}`)), 'c')
})

test('the search of the dashboard returns the ticket of a number first, with and without a number sign', async () => {
  for (const q of [number, `#${number}`]) {
    const { tickets } = (await omar.api.get(`/search?q=${encodeURIComponent(q)}`)).body
    assert.equal(namesOf({ items: tickets })[0], 't', q)
    assert.equal(tickets.length, 5)
  }
})

test('a number refers only to a ticket of the same project', async () => {
  const { items } = (await outsider.get(`/tickets?q=%23${number}`)).body
  assert.equal(items[0].short_id, number)
  assert.equal(namesOf({ items }).replaceAll('?', ''), '')
  const none = await list(`#${Number(number) + 1000}`)
  assert.deepEqual([none.items, none.total], [[], 0])
})

test('a spam ticket is found by its number', async () => {
  const { id, short_id } = await makeTicket(api)
  await api.patch(`/tickets/${id}`, { is_spam: true })
  const found = async (query: string) =>
    (await api.get(`/tickets?q=%23${short_id}${query}`)).body.items.map((one: { id: string }) => one.id)
  assert.deepEqual(
    [await found(''), await found('&is_spam=true'), await found('&is_spam=false')],
    [[id], [id], []],
  )
})
