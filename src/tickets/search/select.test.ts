import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeDepartment, makeMessage, makeOperator, makeTicket } from '../../../test/cast.ts'
import { untilCounted } from '../../../test/counted.ts'
import { startServer } from '../../../test/server.ts'
import { sorts } from '../query-schema.ts'

const server = await startServer({ delivers: false })
const { api, outsider, db, acme } = server
after(() => server.close())

const [operator, department] = [await makeOperator(db, acme), await makeDepartment(db, acme)]
const pick = <T>(list: readonly T[], n: number): T => list[n % list.length]!
const day = (n: number) => new Date(Date.UTC(2026, 0, 1 + n)).toISOString()

/** Tickets that differ in every field. Some change within a day and some for weeks, and some have no message. */
async function fill(): Promise<void> {
  for (let n = 0; n < 40; n++) {
    const status = pick(['new', 'open', 'pending', 'closed', 'closed'], n)
    const ticket = await makeTicket(api, {
      status,
      priority: pick(['low', 'normal', 'high'], n),
      tags: pick([[], ['vip'], ['vip', 'eu']], n),
      operator_id: pick([null, operator.id, null], n),
      department_id: pick([department.id, null], n),
    })
    await makeTicket(outsider, { status, tags: ['vip'] })
    if (n % 6) await makeMessage(api, ticket.id)
    if (n % 7 === 0) await api.patch(`/tickets/${ticket.id}`, { is_spam: true })
    const end = n + pick([0, 1, 20], n)
    await db`update tickets set created_at = ${day(n)},
      closed_at = case when closed_at is not null then ${day(end)}::timestamptz end where id = ${ticket.id}`
    const since = n % 3 && status !== 'closed' ? day(40 - n) : null
    await db`update ticket_activity set updated_at = ${day(end)}, waiting_since = ${since},
      last_message_at = case when last_message_id is not null then ${day(n + (end - n) / 2)}::timestamptz end
      where ticket_id = ${ticket.id}`
  }
  await db`analyze`
}
await fill()

// biome-ignore lint/suspicious/noExplicitAny: a record of the API
type Ticket = any
const list = async (query: string): Promise<Ticket> => {
  const { status, body, text } = await api.get(`/tickets?page_size=100&${query}`)
  assert.equal(status, 200, text)
  return body
}
const all: Ticket[] = [...(await list('')).items, ...(await list('is_spam=true')).items]
const contact = all[7].contact_id

const early = day(11).slice(0, 19)
const late = day(25).slice(0, 19)
const isIn = (time: string | null, from: string, to = '9') => time !== null && time >= from && time < to

const filters: [string, (ticket: Ticket) => boolean][] = [
  ['', () => true],
  ['status=open', t => t.status === 'open'],
  ['status=open,pending&priority=low', t => /open|pending/.test(t.status) && t.priority === 'low'],
  ['channel=email', () => false],
  ['tag=vip', t => t.tags.includes('vip')],
  ['tag=eu&status=closed', t => t.tags.includes('eu') && t.status === 'closed'],
  [`contact_id=${contact}`, t => t.contact_id === contact],
  [`operator_id=${operator.id}`, t => t.operator_id === operator.id],
  ['operator_id=none&department_id=none', t => t.operator_id === null && t.department_id === null],
  [`created_after=${late}`, t => isIn(t.created_at, late)],
  [`created_before=${early}`, t => isIn(t.created_at, '0', early)],
  [
    `created_after=${early}&created_before=${late}&status=new`,
    t => isIn(t.created_at, early, late) && t.status === 'new',
  ],
  [`updated_after=${late}`, t => isIn(t.updated_at, late)],
  [`updated_before=${early}`, t => isIn(t.updated_at, '0', early)],
  [`updated_after=${early}&tag=vip`, t => isIn(t.updated_at, early) && t.tags.includes('vip')],
  [`closed_after=${late}`, t => isIn(t.closed_at, late)],
  [`closed_before=${early}`, t => isIn(t.closed_at, '0', early)],
  [`closed_after=${early}&status=open`, () => false],
  [
    `created_before=${early}&updated_after=${late}`,
    t => isIn(t.created_at, '0', early) && isIn(t.updated_at, late),
  ],
  ['q=request', () => true],
]

const sortValues: Record<string, (ticket: Ticket) => string | null> = {
  created_at: t => t.created_at,
  updated_at: t => t.updated_at,
  last_message_at: t => t.last_message?.created_at ?? null,
  waiting_since: t => t.waiting_since,
}

/** The documented order: by time and id, with those without a time last. Tickets that do not wait follow by their last message. */
function inOrder(tickets: Ticket[], sort: string): string[] {
  if (sort === 'waiting_since') {
    const [waiting, others] = [true, false].map(on => tickets.filter(t => (t.waiting_since !== null) === on))
    return [...inValueOrder(waiting!, sort), ...inValueOrder(others!, '-last_message_at')]
  }
  return inValueOrder(tickets, sort)
}

function inValueOrder(tickets: Ticket[], sort: string): string[] {
  const value = sortValues[sort.replace('-', '')]!
  const sign = sort.startsWith('-') ? -1 : 1
  const keyed = tickets.map(ticket => ({ id: ticket.id as string, at: value(ticket) }))
  keyed.sort((a, b) => {
    if (a.at === null || b.at === null) {
      if (a.at !== b.at) return a.at === null ? 1 : -1
      return a.id < b.id ? -sign : sign
    }
    return `${a.at}${a.id}` < `${b.at}${b.id}` ? -sign : sign
  })
  return keyed.map(({ id }) => id)
}

const ids = (items: Ticket[]): string[] => items.map(item => item.id)

/** The ids on all pages, by page number and by cursor. */
async function walk(query: string, size: number): Promise<{ pages: string[]; cursors: string[] }> {
  const pages: string[] = []
  const cursors: string[] = []
  for (let page = 1, more = true; more; page++) {
    const { items, has_more } = (await api.get(`/tickets?${query}&page_size=${size}&page=${page}`)).body
    pages.push(...ids(items))
    more = has_more
  }
  for (let cursor = '', more = true; more; ) {
    const { items, next_cursor } = (await api.get(`/tickets?${query}&page_size=${size}${cursor}`)).body
    cursors.push(...ids(items))
    more = next_cursor !== null
    cursor = `&cursor=${next_cursor}`
  }
  return { pages, cursors }
}

/** The estimated number of tickets in the project decides how a list is read, and must not change what it contains. */
for (const estimate of [40, 1_000_000]) {
  for (const sort of sorts) {
    test(`sorted by ${sort}, every filter returns its tickets in order, in a project of about ${estimate}`, async () => {
      await db`update project_counters set ticket_number = ${estimate} where project_id = ${acme.id}`
      for (const [query, fits] of filters) {
        for (const isSpam of [false, true]) {
          const wanted = inOrder(
            all.filter(ticket => ticket.is_spam === isSpam && fits(ticket)),
            sort,
          )
          const body = await untilCounted(() => list(`${query}&sort=${sort}&is_spam=${isSpam}`))
          assert.deepEqual(ids(body.items), wanted, query)
          assert.equal(body.total, wanted.length, query)
        }
      }
    })

    test(`sorted by ${sort}, pages and cursors of a filter return each ticket once, in a project of about ${estimate}`, async () => {
      await db`update project_counters set ticket_number = ${estimate} where project_id = ${acme.id}`
      for (const query of ['status=closed', `created_before=${late}`, `updated_after=${early}`, 'tag=vip']) {
        const whole = ids((await list(`${query}&sort=${sort}`)).items)
        const { pages, cursors } = await walk(`${query}&sort=${sort}`, 5)
        assert.deepEqual(pages, whole, query)
        assert.deepEqual(cursors, whole, query)
      }
    })
  }
}
