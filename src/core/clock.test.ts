import assert from 'node:assert/strict'
import { after, mock, type TestContext, test } from 'node:test'
import { startServer } from '../../test/server.ts'
import { until } from '../../test/until.ts'
import { describeClock } from '../doctor/content.ts'
import { followDatabaseClock, readClock } from './clock.ts'
import { newId } from './ids.ts'
import type { Log } from './telemetry/log.ts'
import { printMetrics } from './telemetry/metrics.ts'

const day = 86_400_000
const server = await startServer({ delivers: false })
const { api, db } = server
after(() => server.close())

/** Sets the clock of this process off by this much until the test ends. */
function setClock(context: TestContext, milliseconds: number): () => void {
  const real = Date.now
  const mocked = mock.method(Date, 'now', () => real() + milliseconds)
  const restore = () => mocked.mock.restore()
  context.after(restore)
  return restore
}

async function follow(context: TestContext): Promise<string[]> {
  const lines: string[] = []
  const keep = (_fields: object, words: string) => void lines.push(words)
  const log: Log = Object.assign(Object.create(server.log), { warn: keep, info: () => {} })
  const clock = await followDatabaseClock(db, log)
  context.after(() => clock.stop())
  return lines
}

/** How many seconds a time is ahead of the database's clock. */
const aheadOf = async (time: string): Promise<number> =>
  (Date.parse(`${time}Z`) - (await readClock(db))) / 1_000

const newestEvent = async (): Promise<string> => {
  const [row] = await db<{ created_at: string }[]>`
    select created_at from events where project_id = ${server.acme.id} order by seq desc limit 1`
  return row!.created_at
}

const isNear = (seconds: number): boolean => seconds > -60 && seconds <= 2

const post = async () => {
  const answer = await api.post('/tickets', { contact: { email: 'ann@example.com' }, content: 'Hello' })
  assert.equal(answer.status, 201)
  return answer.body
}

test('uses its own clock, and logs nothing, when the clocks agree', async context => {
  const lines = await follow(context)
  assert.deepEqual(lines, [])
  assert.match(await printMetrics(), /^deskbell_clock_difference_seconds 0$/m)
  assert.equal(await describeClock(db), 'agrees with the database')
})

for (const [name, days] of [
  ['ahead of', 3],
  ['behind', -3],
] as const) {
  test(`uses the database's time, and logs a warning, when its clock is days ${name} the database`, async context => {
    setClock(context, days * day)
    const lines = await follow(context)
    assert.equal(lines.length, 1)
    assert.match(lines[0]!, new RegExp(`^The clock of this machine is 3 days ${name} the database.*NTP`))
    const [, shown] = /^deskbell_clock_difference_seconds (\S+)$/m.exec(await printMetrics())!
    assert.ok(Math.abs(Number(shown) - 3 * 86_400) < 60)
    await assert.rejects(describeClock(db), /3 days/)
    const { created_at } = await post()
    assert.ok(isNear(await aheadOf(created_at)), created_at)
    assert.ok(isNear(await aheadOf(await newestEvent())))
    const made = Number.parseInt(newId().replaceAll('-', '').slice(0, 12), 16)
    assert.ok(Math.abs(made - (await readClock(db))) < 60_000)
  })
}

test('notices within a minute when its clock changes and when it is corrected', async context => {
  context.mock.timers.enable({ apis: ['setInterval'] })
  const lines = await follow(context)
  const restore = setClock(context, 2 * day)
  context.mock.timers.tick(60_000)
  await until(() => lines.length === 1)
  restore()
  context.mock.timers.tick(60_000)
  await until(async () => /^deskbell_clock_difference_seconds 0$/m.test(await printMetrics()))
  assert.ok(isNear(await aheadOf((await post()).created_at)))
})

test('an event has no future time if the clock of its process was just set forward', async context => {
  const restore = setClock(context, 3 * day)
  await post()
  assert.ok(isNear(await aheadOf(await newestEvent())))
  restore()
  await post()
  assert.ok(isNear(await aheadOf(await newestEvent())))
})
