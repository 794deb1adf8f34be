import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '../../src/core/db/db.ts'
import type { Line } from './line.ts'
import type { Member } from './member.ts'
import type { Stage } from './stage.ts'

/** Causes a fault and resolves at its end with a description, or with null if this stage does not support it. */
export type Fault = (stage: Stage) => Promise<string | null>

const between = (random: () => number, least: number, most: number): number =>
  Math.round(least + random() * (most - least))

const pick = <T>(random: () => number, items: readonly T[]): T => items[Math.floor(random() * items.length)]!

/** Picks a running member. */
async function pickMember({ random, members }: Stage): Promise<Member> {
  while (!members.some(({ isUp }) => isUp)) await sleep(50)
  return pick(
    random,
    members.filter(({ isUp }) => isUp),
  )
}

async function kill(stage: Stage): Promise<string> {
  const member = await pickMember(stage)
  await member.kill()
  return member.name
}

async function restart(stage: Stage): Promise<string> {
  const member = await pickMember(stage)
  await member.restart()
  return member.name
}

/** Stops a process at any point and continues it later. */
async function freeze({ random, members }: Stage): Promise<string> {
  const member = pick(random, members)
  const ms = between(random, 1_000, 8_000)
  member.signal('SIGSTOP')
  await sleep(ms)
  member.signal('SIGCONT')
  return `${member.name} for ${ms} ms`
}

async function crashPostgres({ random, database }: Stage): Promise<string> {
  const pause = between(random, 0, 2_000)
  await database.crash(pause)
  return `stopped for ${pause} ms, then recovered`
}

/** Terminates five connections a second, and at the end all at once. */
const terminate: Fault = ({ random, database }) =>
  database.withDb(async db => {
    const most = between(random, 10, 25)
    const end = (limit: number | null) => db`
      select pg_terminate_backend(pid) from (
        select pid from pg_stat_activity
        where application_name = 'deskbell' and pid <> pg_backend_pid() order by random() limit ${limit}::int) storm`
    for (let n = 0; n < most; n++) {
      await end(1)
      await sleep(200)
    }
    const { count } = await end(null)
    return `${most} connections, then ${count} at once`
  })

/** Milliseconds until the processes count requests again. */
async function untilCounted(members: Member[]): Promise<number> {
  const begun = performance.now()
  const { url } = members.find(({ answers }) => answers)!
  const before = await countAllowed(url)
  while ((await countAllowed(url)) === before && performance.now() - begun < 30_000) await sleep(20)
  return Math.round(performance.now() - begun)
}

async function countAllowed(url: string): Promise<number> {
  const text = await fetch(`${url}/metrics`).then(answer => answer.text())
  return Number(/^deskbell_limiter_decisions_total\{decision="allowed"\} (\d+)/m.exec(text)?.[1])
}

const stopRedis: Fault = async ({ random, redis, members }) => {
  if (!redis) return null
  const ms = between(random, 2_000, 5_000)
  redis.kill('SIGSTOP')
  await sleep(ms)
  redis.kill('SIGCONT')
  return `stopped for ${ms} ms, counted again after ${await untilCounted(members)} ms`
}

const fillDisk =
  (name: 'files' | 'postgres'): Fault =>
  async ({ random, disks, database }) => {
    const disk = disks[name]
    if (!disk) return null
    const ms = between(random, 3_000, 6_000)
    disk.fill()
    await sleep(ms)
    disk.empty()
    await database.revive()
    return `full for ${ms} ms`
  }

/** Moves the clock by some seconds and back, so that the times of events can be compared. */
const moveClock: Fault = async ({ random, setClock }) => {
  if (!setClock) return null
  const jumps = [pick(random, [3_600, -3_600]), 0]
  for (const seconds of jumps) {
    setClock(seconds)
    await sleep(between(random, 4_000, 7_000))
  }
  return `by ${jumps[0]} s, and back`
}

const disturb =
  (name: 'postgres' | 'redis' | 'receivers'): Fault =>
  async ({ random, networks }) => {
    const network = networks[name]
    if (!network) return null
    const kind = pick(random, ['delay', 'hold', 'cut', 'half-open'] as const)
    return `${kind}, ${await trouble[kind](network, between(random, 1_000, 4_000))}`
  }

async function change(network: Line, weather: 'delay' | 'hold', ms: number): Promise<string> {
  network.set(weather)
  await sleep(ms)
  network.set('fine')
  return `for ${ms} ms`
}

const trouble = {
  delay: (network: Line, ms: number) => change(network, 'delay', ms),
  hold: (network: Line, ms: number) => change(network, 'hold', ms),
  cut: async (network: Line) => {
    network.cut()
    return 'once'
  },
  'half-open': async (network: Line) => {
    network.deaden()
    return 'all that were open'
  },
}

/** A hanging writer that holds the lock of the log's next number, so that all others wait for it. */
const leaveOpen: Fault = async ({ random, database }) => {
  if (!database.port) return null
  const target = { host: '127.0.0.1', port: database.port, user: 'deskbell', database: 'postgres' }
  const db = connect(target, { max: 1 })
  const begun = performance.now()
  const counters = await db<{ id: string }[]>`select project_id as id from project_counters order by 1`
  const { id } = pick(random, counters)
  await db
    .begin(async tx => {
      await tx`update project_counters set event_seq = event_seq where project_id = ${id}`
      await sleep(20_000)
    })
    .catch(() => {})
  await db.end({ timeout: 0 })
  return `the database ended it after ${Math.round(performance.now() - begun)} ms`
}

/** A reader with an old snapshot, which prevents vacuum. */
const holdSnapshot: Fault = ({ database, hold }) =>
  database.withDb(async db => {
    await db.begin('isolation level repeatable read', async tx => {
      await tx`set local idle_in_transaction_session_timeout = 0`
      await tx`select count(*) from webhook_queue`
      await sleep(hold * 1_000)
    })
    return `for ${hold} s`
  })

export const faults: Record<string, Fault> = {
  kill,
  restart,
  freeze,
  postgres: crashPostgres,
  terminate,
  redis: stopRedis,
  'disk-files': fillDisk('files'),
  'disk-postgres': fillDisk('postgres'),
  clock: moveClock,
  'network-postgres': disturb('postgres'),
  'network-redis': disturb('redis'),
  'network-receivers': disturb('receivers'),
  'open-transaction': leaveOpen,
  snapshot: holdSnapshot,
}
