import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { receive, startSupport } from '../../../../test/mail/receiving.ts'
import { makeMail, makeMailbox } from '../../../../test/mail.ts'
import { parseScrape } from '../../../../test/promql.ts'
import { until } from '../../../../test/until.ts'
import { printMetrics } from '../../../core/telemetry/metrics.ts'
import { measureFetching, noteFetched } from '../mailboxes/mailbox-metrics.ts'

/** What /metrics says about mailboxes and received emails. The counters belong to the process, which other tests share. */

const support = 'support@example.com'
const { receiving } = await startSupport(support)
const { server } = receiving
const unmeasure = measureFetching(server.db)
after(unmeasure)

/** The values of a metric, by its label. A metric whose query takes too long is left out. */
async function read(name: string, label: string): Promise<Record<string, number>> {
  const samples = await until(async () => {
    const found = parseScrape(await printMetrics()).filter(one => one.name === name)
    return found.length > 0 && found
  })
  return Object.fromEntries(samples.map(({ labels, value }) => [labels[label] ?? '', value]))
}

test('counts the mailboxes by state', async () => {
  const states = { waiting: 2, paused: 1, broken: 3 }
  for (const [state, count] of Object.entries(states))
    for (let at = 0; at < count; at++) {
      const { id } = await makeMailbox(server, { imapPort: 9 }, { user: `${state}${at}` })
      const changed = state === 'waiting' ? { failures: 1 } : { state }
      await server.db`update mailboxes set ${server.db(changed as never)} where id = ${id}`
    }
  assert.deepEqual(await read('deskbell_mailboxes', 'state'), { active: 1, ...states })
})

test('counts handled emails by outcome, and the time to parse them', async () => {
  const parsed = async () => (await read('deskbell_mail_parse_seconds_count', ''))['']!
  const outcomes = () => read('deskbell_mail_outcomes_total', 'outcome')
  const before = { outcomes: await outcomes(), parsed: await parsed() }
  const mail = makeMail()
  await receive(receiving, support, mail)
  await receive(receiving, support, mail)
  // An email is counted after its outcome is stored.
  await until(async () => (await outcomes()).duplicate !== before.outcomes.duplicate)
  const now = await outcomes()
  assert.deepEqual(
    Object.keys(now).filter(name => now[name] !== before.outcomes[name]),
    ['new', 'duplicate'],
  )
  assert.equal((await parsed()) - before.parsed, 2)
  assert.deepEqual(await read('deskbell_mail_oldest_stored_seconds', ''), { '': 0 })
})

test('counts emails by the time from their arrival at the server until they are stored', async () => {
  const buckets = () => read('deskbell_mail_fetch_lag_seconds_bucket', 'le')
  const before = await buckets()
  noteFetched(new Date(Date.now() - 3_000))
  noteFetched(new Date(Date.now() - 120_000))
  noteFetched(null)
  const now = await buckets()
  const grown = Object.fromEntries(Object.entries(now).map(([le, value]) => [le, value - before[le]!]))
  assert.deepEqual([grown['2'], grown['5'], grown['60'], grown['300'], grown['+Inf']], [0, 1, 1, 2, 2])
})
