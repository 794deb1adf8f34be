import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../../test/until.ts'
import { openCaller } from '../calls.ts'
import { median, percentile, round } from '../figures.ts'
import { tell } from '../mail/stage.ts'
import { openMeter } from '../processor.ts'
import type { Stage } from './stage.ts'

/** Measures how long after the end of its undo time the SMTP server accepts a reply. */

const undoMs = 5_000

export interface Load {
  rate: number
  seconds: number
}

interface Posted {
  mailboxId: string
  /** The end of the undo time, in milliseconds since 1970. */
  at: number
}

/** Posts replies at a steady rate, each with an undo time. Returns them by Message-ID. */
async function postAll(stage: Stage, { rate, seconds }: Load): Promise<Map<string, Posted>> {
  const { server, key, mailboxIds, ticketIds } = stage
  const caller = openCaller(server.url, key)
  const posted = new Map<string, Posted>()
  const post = async (number: number): Promise<void> => {
    const mailboxId = mailboxIds[number % mailboxIds.length]!
    const at = Date.now() + undoMs
    const { status, text } = await caller.call(
      'POST',
      `/tickets/${ticketIds[number % ticketIds.length]}/messages`,
      {
        content: 'We will send a new shade. Which colour would you like? '.repeat(5),
        send_at: new Date(at).toISOString(),
        email: { mailbox_id: mailboxId },
      },
    )
    if (status !== 201) throw new Error(`${status} ${text}`)
    posted.set(JSON.parse(text).email.message_id, { mailboxId, at })
  }
  const posting: Promise<void>[] = []
  const begun = performance.now()
  for (let number = 0; number < rate * seconds; number++) {
    await sleep(Math.max(begun + (number * 1_000) / rate - performance.now(), 1))
    posting.push(post(number))
  }
  await Promise.all(posting)
  caller.close()
  return posted
}

/** The delay of each reply in milliseconds. Does not wait for replies from the mailbox `dead`. */
export async function measureDelays(stage: Stage, load: Load, dead?: string): Promise<number[]> {
  const posted = await postAll(stage, load)
  const awaited = [...posted].filter(([, { mailboxId }]) => mailboxId !== dead)
  const delays = new Map<string, number>()
  await until(async () => {
    for (const { id, at } of await stage.takeAccepted())
      if (posted.has(id)) delays.set(id, at - posted.get(id)!.at)
    return awaited.every(([id]) => delays.has(id))
  }, 300)
  return [...delays.values()]
}

/** A server that has just started needs about twice the processor time, until its code is compiled. */
export const warmUp = (stage: Stage) => measureDelays(stage, { rate: 20, seconds: 30 })

export const describe = (delays: number[]): string =>
  `p50 ${median(delays).toFixed(0)} ms, p95 ${percentile(delays, 0.95).toFixed(0)} ms, longest ${Math.max(...delays)} ms`

export async function delay(stage: Stage, load: Load): Promise<boolean> {
  await warmUp(stage)
  const meter = openMeter(stage.server, stage.dataDir)
  const before = meter()
  const delays = await measureDelays(stage, load)
  const after = meter()
  const costOf = (kind: 'server' | 'database') => round((after[kind] - before[kind]) / delays.length, 1)
  const cost = `processor time of each with its posting: server ${costOf('server')} ms, Postgres ${costOf('database')} ms`
  const measured = `${delays.length} replies at ${load.rate}/s: ${describe(delays)} (${cost})`
  return tell('M7', measured, percentile(delays, 0.95) <= 1_000)
}
