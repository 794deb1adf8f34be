import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { newId } from '../../src/core/ids.ts'
import { openCaller } from '../calls.ts'
import { percentile, round } from '../figures.ts'
import type { Seat } from '../streams/clients.ts'
import { follow, hold, type Pace, type Row, tell, withStage } from '../streams/stage.ts'
import { clock, type Stage } from '../updates/stage.ts'
import { makeTeam, seatsOf, type Team } from './people.ts'

const options = {
  tabs: { type: 'string', default: '2000' },
  seconds: { type: 'string', default: '15' },
} as const

const tabsEach = 10

/** Creates tickets at a fixed rate in a project with many open tabs. */
async function create(stage: Stage, team: Team, pace: Pace): Promise<Row> {
  const caller = openCaller(stage.server.url, team.key)
  const tabs = team.cookies.length * tabsEach
  const contact = { email: 'ann@example.com' }
  const what = `${tabs} tabs of one project, ${pace.rate} tickets a second`
  return follow(stage, pace, what, async () => {
    await caller.call('POST', '/tickets', { contact, subject: String(clock()) })
    return { told: tabs, isTaken: true }
  }).finally(() => caller.close())
}

/** A person views one ticket after another. */
async function look(stage: Stage, { cookies }: Team, seat: Seat): Promise<Row> {
  const took: number[] = []
  const tabs = cookies.length * tabsEach
  for (let times = 0; times < 10; times++) {
    const ticket_id = newId()
    await tell(stage, { name: 'watch', ticketId: ticket_id })
    const begun = clock()
    await fetch(stage.server.url + seat.presence, {
      method: 'POST',
      headers: {
        cookie: cookies[0]!,
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ ...seat.beat, ticket_id }),
    })
    await sleep(2_000)
    const { seenAt } = await tell(stage, { name: 'take' })
    took.push(...seenAt.map(at => at - begun))
  }
  const p99 = percentile(took, 0.99)
  return [
    'presence',
    'p99 1 s',
    `p50 ${round(percentile(took, 0.5), 1)} ms, p99 ${round(p99, 1)} ms, ${took.length} of ${tabs * 10}`,
    p99 <= 1_000 && took.length >= tabs * 10,
  ]
}

async function measure(stage: Stage, tabs: number, seconds: number): Promise<Row[]> {
  const people = tabs / tabsEach
  const crowd = await makeTeam(stage.db, stage.server, people / 2)
  const small: Team[] = []
  for (let at = 0; at < people / 4; at++) small.push(await makeTeam(stage.db, stage.server, 2))
  const seats = [crowd, ...small].flatMap(team => seatsOf(team, tabsEach))
  const time = '"subject":"([\\d.]+)"'
  return [
    ...(await hold(stage, seconds, { seats, name: 'tabs', time, most: 100, idlest: 3 })),
    await create(stage, crowd, { rate: 1, seconds, limit: 500 }),
    await create(stage, crowd, { rate: 5, seconds }),
    await look(stage, crowd, seats[0]!),
  ]
}

/** Measures the cost of open dashboards, and how soon they are notified. */
export async function live(args: string[]): Promise<number> {
  const { tabs, seconds } = parseArgs({ args, options }).values
  return withStage({ LIVE_TABS_PER_PROCESS: tabs }, 'live', stage =>
    measure(stage, Number(tabs), Number(seconds)),
  )
}
