import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeTicket } from '../cast.ts'
import { needs } from '../needs.ts'
import { startServer } from '../server.ts'
import { accessOf, exampleFile, startExample } from './example.ts'

const server = await startServer({ delivers: false })
const { api, outsider, db } = server
after(() => server.close())

const skip = ['bash', 'curl', 'jq'].map(program => needs(program).skip).find(Boolean) ?? false

interface Story {
  /** In days ago. */
  opened: number
  closed?: number
  /** Minutes until the first reply. */
  reply?: number
  rating?: number
}

const day = 86_400_000
/** The day of the start, also after midnight. */
const today = Math.floor(Date.now() / day)
/** Noon of a day in UTC. */
const noon = (daysAgo: number, minutes = 0): string =>
  new Date((today - daysAgo) * day + day / 2 + minutes * 60_000).toISOString()
const dateOf = (daysAgo: number): string => noon(daysAgo).slice(0, 10)

async function makeStory({ opened, closed, reply, rating }: Story): Promise<string> {
  const { id } = await makeTicket(api)
  const replied = reply === undefined ? null : noon(opened, reply)
  const end = closed === undefined ? null : noon(closed)
  if (rating) await api.post(`/tickets/${id}/rate`, { rating })
  if (end) await api.post(`/tickets/${id}/close`)
  await db`update tickets set created_at = ${noon(opened)}, closed_at = ${end},
    rated_at = ${rating ? (end ?? noon(opened)) : null} where id = ${id}`
  await db`update ticket_activity set first_reply_at = ${replied}, created_at = ${noon(opened)} where ticket_id = ${id}`
  return id
}

const stories: Story[] = [
  { opened: 30, closed: 2, reply: 1, rating: 2 },
  { opened: 2, closed: 1, reply: 10, rating: 5 },
  { opened: 2, reply: 20 },
  { opened: 2, reply: 90, closed: 0, rating: 4 },
  { opened: 2 },
  { opened: 0, reply: 5 },
]
for (const story of stories) await makeStory(story)
const [merged, target] = [await makeStory({ opened: 1 }), await makeStory({ opened: 1, reply: 3 })]
await api.post(`/tickets/${merged}/merge`, { into_ticket_id: target, force: true })
const spam = await makeStory({ opened: 1 })
await api.patch(`/tickets/${spam}`, { is_spam: true })

const report = (...args: string[]) => ({
  async with(settings = {}) {
    const context = { after: (end: () => void) => after(end) }
    return startExample(context, 'bash', [exampleFile('report/report.sh'), ...args], {
      ...accessOf(server),
      ...settings,
    }).ended
  },
})

/** One more than the days with stories: that before them, or the next one if it is past midnight by now. */
const days = '4'

function withoutQuietDay(rows: string[][]): string[][] {
  const busy = rows.filter(row => row[1] !== '0')
  assert.equal(busy.length, rows.length - 1)
  return busy
}

const expected = [
  ['day', 'opened', 'closed', 'median_reply_minutes', 'ratings', 'average_rating'],
  [dateOf(2), '4', '1', '20', '1', '2'],
  [dateOf(1), '1', '1', '3', '1', '5'],
  [dateOf(0), '1', '1', '5', '1', '4'],
  ['total', '6', '3', '10', '3', '3.7'],
]

test('report.sh counts tickets opened, closed, answered and rated per day', { skip }, async () => {
  const { status, stdout, stderr } = await report('--csv', days).with()
  assert.deepEqual([status, stderr], [0, ''])
  const lines = stdout.trimEnd().replaceAll('"', '').split('\n')
  assert.deepEqual(withoutQuietDay(lines.map(line => line.split(','))), expected)
})

test('report.sh prints a table with the same numbers', { skip }, async () => {
  const { stdout } = await report(days).with()
  const lines = stdout.trimEnd().split('\n')
  assert.deepEqual(withoutQuietDay(lines.map(line => line.split(/ +/))), expected)
})

test('report.sh reads every page', { skip }, async () => {
  const before = (await report('--csv', days).with()).stdout
  assert.match(before, /"total",6,/)
  // Ten at a time: the server rejects requests while 200 others wait.
  const makeMany = async () => {
    for (let made = 0; made < 22; made++) await makeTicket(api)
  }
  await Promise.all(Array.from({ length: 10 }, makeMany))
  assert.match((await report('--csv', days).with()).stdout, /"total",226,/)
  assert.equal((await outsider.get('/tickets')).body.total, 0)
})

test('report.sh prints an error instead of a partial report', { skip }, async () => {
  const refused = await report().with({ DESKBELL_API_KEY: 'sk_wrong' })
  assert.deepEqual([refused.status, refused.stdout], [22, ''])
  assert.match(refused.stderr, /401/)
  assert.match((await report('many').with()).stderr, /^Usage/)
})
