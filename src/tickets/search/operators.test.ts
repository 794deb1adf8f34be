import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Member, makeFile, makeMessage, makeTicket, unique } from '../../../test/cast.ts'
import { assertEnvelope, type Client } from '../../../test/client.ts'
import { untilCounted } from '../../../test/counted.ts'
import { joinCast, type Person } from '../../../test/operator.ts'
import { startServer } from '../../../test/server.ts'

const server = await startServer({ delivers: false })
const { api, outsider, db, acme, rival } = server
let olga: Person
let omar: Person
let rita: Person
const tickets: Record<string, { id: string; short_id: string }> = {}
const letters = new Map<string, string>()
/** A word in every ticket of both projects, in some only in the subject. */
const word = `parcel${unique()}`

/** Creates six tickets, one in each month. Both projects get similar ones. */
async function fill(client: Client, member: Member, [first, second]: (string | null)[]) {
  const ann = { email: 'ann@example.com', full_name: 'Ann Lee' }
  const bob = { email: 'bob@example.com', full_name: 'Bob Ross' }
  const shapes = [
    { contact: ann, priority: 'low', tags: ['vip', 'eu'], content: `${word} refund` },
    {
      contact: ann,
      status: 'open',
      tags: ['Big Customer'],
      operator_id: first,
      content: `${word} late, no delivery`,
    },
    { contact: bob, status: 'pending', priority: 'high', tags: ['vip'], subject: `${word} delivery` },
    {
      contact: bob,
      status: 'closed',
      priority: 'urgent',
      operator_id: second,
      content: `${word} late delivery`,
    },
    { contact: bob, status: 'open', content: `${word} casino` },
    { contact: ann, content: `${word} again` },
  ]
  const made: { id: string; short_id: string }[] = []
  for (const [at, shape] of shapes.entries()) {
    const { operator_id, ...rest } = shape
    const ticket = await makeTicket(client, operator_id ? shape : rest)
    await makeMessage(client, ticket.id, { content: 'Hello' })
    await db`update tickets set created_at = ${`2026-0${at + 1}-10T12:00:00Z`} where id = ${ticket.id}`
    made.push(ticket)
  }
  const [a, , c, , e, f] = made as [{ id: string }, ...typeof made]
  await client.patch(`/tickets/${c!.id}`, { snoozed_until: '2099-01-01' })
  await client.patch(`/tickets/${e!.id}`, { is_spam: true })
  await makeMessage(client, c!.id, { content: 'See', media_ids: [await makeFile(db, member)] })
  await client.post(`/tickets/${f!.id}/merge`, { into_ticket_id: a.id })
  return made
}

before(async () => {
  ;({ olga, omar, rita } = await joinCast(server))
  const ours = await fill(api, acme, [omar.id, olga.id])
  for (const [at, letter] of [...'abcdef'].entries()) {
    tickets[letter] = ours[at]!
    letters.set(ours[at]!.id, letter)
  }
  await fill(outsider, rival, [null, null])
})
after(() => server.close())

const list = async (q: string, more = '', client: Client = api) => {
  const { status, body, text } = await client.get(`/tickets?q=${encodeURIComponent(q)}&${more}`)
  assert.equal(status, 200, text)
  return body
}
const namesOf = ({ items }: { items: { id: string }[] }): string =>
  items.map(({ id }) => letters.get(id) ?? '?').join('')

/** The matching tickets in order of creation. An operator must match the same with another word as alone. */
async function found(q: string, client: Client = api): Promise<string> {
  const [alone, beside] = [
    await untilCounted(() => list(q, 'sort=created_at', client)),
    await untilCounted(() => list(`${word} ${q}`, 'sort=created_at', client)),
  ]
  assert.equal(namesOf(beside), namesOf(alone), q)
  assert.deepEqual([alone.total, beside.total], [alone.items.length, alone.items.length], q)
  return namesOf(alone)
}

const cases: [q: string, found: string][] = [
  ['status:open', 'b'],
  ['status:new,on_hold', 'ac'],
  ['is:closed', 'df'],
  ['-status:closed', 'abc'],
  ['priority:high,urgent', 'cd'],
  ['-priority:normal', 'acd'],
  ['channel:API', 'abcdf'],
  ['channel:email', ''],
  ['-channel:api', ''],
  ['tag:VIP', 'ac'],
  ['tag:vip tag:eu', 'a'],
  ['tag:eu,"big customer"', ''],
  ['tag:"big customer"', 'b'],
  ['tag:eu,none', 'a'],
  ['-tag:vip', 'bdf'],
  ['tag:unknown', ''],
  ['is:unassigned', 'acf'],
  ['is:assigned', 'bd'],
  ['-is:assigned', 'acf'],
  ['is:snoozed', 'c'],
  ['-is:snoozed', 'abdf'],
  ['is:merged', 'f'],
  ['-is:merged', 'abcd'],
  ['is:spam', 'e'],
  ['-is:spam', 'abcdf'],
  ['is:spam -is:spam', ''],
  ['from:ann@example.com', 'abf'],
  ['from:ANN@Example.com', 'abf'],
  ['from:"Ann Lee"', 'abf'],
  ['from:bo', 'cd'],
  ['from:bo from:ross', 'cd'],
  ['from:nobody@example.com', ''],
  ['-from:ann', 'cd'],
  ['before:2026-02-10', 'a'],
  ['before:2026-02-11', 'ab'],
  ['after:2026-02-10', 'bcdf'],
  ['after:2026-03', 'cdf'],
  ['after:2026 before:2026-03-10T12:00:00.000001Z', 'abc'],
  ['-after:2026-03', 'ab'],
  ['-before:2026-03', 'cdf'],
  ['has:file', 'c'],
  ['-has:file', 'abdf'],
  ['"late delivery"', 'd'],
  ['-late', 'acf'],
  ['-"late delivery"', 'abcf'],
  ['-late -refund', 'cf'],
  ['-unknown', 'abcdf'],
  ['status:new,open tag:vip -from:bob', 'a'],
]

for (const [q, expected] of cases)
  test(`q=${q} finds the matching tickets, alone and with a word`, async () => {
    assert.equal(await found(q), expected)
    assert.equal(namesOf(await list(q, '', outsider)).replaceAll('?', ''), '', 'Rival sees a ticket of Acme')
  })

const parameters: [q: string, query: string][] = [
  ['status:open,pending', 'status=open,pending'],
  ['priority:high', 'priority=high'],
  ['tag:vip', 'tag=vip'],
  ['is:spam', 'is_spam=true'],
  ['is:unassigned', 'operator_id=none'],
  ['is:merged', 'merged=true'],
  ['after:2026-02', 'created_after=2026-02-01'],
  ['before:2026-03', 'created_before=2026-03-01'],
]

test('an operator finds the same as its parameter, in every order, on every page and with every cursor', async () => {
  for (const [q, query] of parameters) {
    for (const sort of [
      'created_at',
      '-created_at',
      'updated_at',
      '-updated_at',
      'last_message_at',
      '-last_message_at',
    ]) {
      const all = namesOf((await api.get(`/tickets?${query}&sort=${sort}`)).body)
      const [one, two] = [
        await list(q, `sort=${sort}&page_size=1`),
        await untilCounted(() => list(q, `sort=${sort}&page_size=1&page=2`)),
      ]
      assert.deepEqual(
        [namesOf(one), namesOf(two), two.total],
        [all[0], all[1] ?? '', all.length],
        `${q} ${sort}`,
      )
      const next = one.next_cursor && (await list(q, `sort=${sort}&cursor=${one.next_cursor}`))
      assert.equal(next ? namesOf(next) : '', all.slice(1), `${q} ${sort}`)
    }
  }
})

test('operators and parameters are combined', async () => {
  assert.equal(namesOf(await list('tag:vip', 'status=on_hold')), 'c')
  assert.equal(namesOf(await list('status:open', 'status=pending')), '')
  assert.equal(namesOf(await list('after:2026-02', 'created_after=2026-04-01&sort=created_at')), 'df')
  assert.equal(namesOf(await list('after:2026-04', 'created_after=2026-02-01&sort=created_at')), 'df')
  assert.equal(namesOf(await list('before:2026-03', 'updated_after=2026-01-01&sort=created_at')), 'ab')
})

test('an operator that takes too long is refused', async () => {
  await db.begin(async tx => {
    await tx`set local idle_in_transaction_session_timeout = 0`
    await tx`lock table media in access exclusive mode`
    const answer = await api.get('/tickets?q=has:file')
    assertEnvelope(answer, 422, 'VALIDATION_ERROR', { field: 'q', reason: 'takes_too_long' })
  })
})

test("operators filter a contact's tickets too", async () => {
  const path = '/contacts/email:ann@example.com/tickets?sort=created_at&q='
  assert.equal(namesOf((await api.get(`${path}-status:closed`)).body), 'ab')
  assert.equal(namesOf((await api.get(`${path}from:bob`)).body), '')
})

test('an operator with an unknown value is searched as text', async () => {
  const odd = `nonsense${unique()}`
  const { id } = await makeTicket(api, { content: `Our status:${odd} is unclear` })
  const { items } = await list(`status:${odd}`)
  assert.deepEqual(
    items.map((item: { id: string }) => item.id),
    [id],
  )
  await db`delete from tickets where project_id = ${acme.id} and id = ${id}`
})

test('is:mine and is:unread refer to the current operator, and are plain text for an API key', async () => {
  assert.equal(await found('is:mine', omar.api), 'b')
  assert.equal(await found('is:mine', olga.api), 'd')
  assert.equal(await found('-is:mine', olga.api), 'abcf')
  await omar.api.post(`/tickets/${tickets.b!.id}/read`)
  assert.equal(await found('is:unread is:assigned', omar.api), 'd')
  assert.equal(await found('-is:unread is:assigned', omar.api), 'b')
  assert.equal(namesOf((await olga.api.get('/contacts/email:bob@example.com/tickets?q=is:mine')).body), 'd')
  assert.equal(namesOf({ items: (await olga.api.get('/search?q=is:mine')).body.tickets }), 'd')
  assert.equal(await found('is:mine'), '')
  assert.equal(await found('is:mine', rita.api), '')
})

test('a saved view with operators is counted, unless it searches words, contacts or files', async () => {
  const counts = []
  for (const q of ['is:mine', `${word} is:mine`, '-late', 'has:file']) {
    const { id } = (await omar.api.post('/views', { name: q, filters: { q } })).body
    const { items } = (await omar.api.get('/views')).body
    counts.push(items.find((view: { id: string }) => view.id === id).count)
  }
  assert.deepEqual(counts, [1, null, null, null])
})
