import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../../test/until.ts'
import { type Caller, openCaller } from '../calls.ts'
import { percentile, round } from '../figures.ts'
import { tell } from '../mail/stage.ts'
import type { Sizes } from './main.ts'
import { listTelegramTickets, type Stage } from './stage.ts'

/** Measures how long a message takes from the chat to the API, and a reply from the API to the chat. */

async function atRate(count: number, rate: number, run: (at: number) => void): Promise<void> {
  const begun = performance.now()
  for (let at = 0; at < count; at++) {
    await sleep(Math.max(begun + (at * 1_000) / rate - performance.now(), 1))
    run(at)
  }
}

interface Followed {
  stop(): Promise<void>
  /** When each message was first seen, by its content. */
  seen: Map<string, number>
}

/** Follows the log by long polling. */
function follow(caller: Caller, after: number): Followed {
  const seen = new Map<string, number>()
  let isStopped = false
  let cursor = after
  const following = (async () => {
    while (!isStopped) {
      const { items, last_seq } = await caller.read(
        `/updates?after=${cursor}&timeout=2&events=message.created`,
      )
      const at = performance.now()
      for (const { seq, data } of items) {
        cursor = seq
        seen.set(data.content, at)
      }
      if (items.length === 0 && last_seq > cursor) cursor = last_seq
    }
  })()
  return {
    seen,
    async stop() {
      isStopped = true
      await following
    },
  }
}

async function measureIn(stage: Stage, { rate, seconds }: Sizes): Promise<number[]> {
  const caller = openCaller(stage.server.url, stage.key)
  const { last_seq } = await caller.read('/updates?timeout=0')
  const followed = follow(caller, last_seq ?? 0)
  const said = new Map<string, number>()
  await atRate(rate * seconds, rate, at => {
    said.set(`in ${at}`, performance.now())
    stage.people[at % stage.people.length]!.say(`in ${at}`)
  })
  await until(() => [...said.keys()].every(content => followed.seen.has(content)), 60)
  await followed.stop()
  caller.close()
  return [...said].map(([content, at]) => followed.seen.get(content)! - at)
}

async function measureOut(stage: Stage, { rate, seconds }: Sizes): Promise<number[]> {
  const caller = openCaller(stage.server.url, stage.key)
  const tickets = await listTelegramTickets(stage)
  const posted = new Map<string, number>()
  const arrived = new Map<string, number>()
  stage.standIn.world.onChange = () => {
    const at = performance.now()
    for (const bot of stage.bots)
      for (const call of bot.calls.splice(0))
        if (call.method === 'sendMessage') arrived.set(call.params.text, at)
  }
  await atRate(rate * seconds, rate, at => {
    const content = `out ${at}`
    posted.set(content, performance.now())
    void caller.call('POST', `/tickets/${tickets[at % tickets.length]!.id}/messages`, { content })
  })
  await until(() => [...posted.keys()].every(content => arrived.has(content)), 60)
  stage.standIn.world.onChange = () => {}
  caller.close()
  return [...posted].map(([content, at]) => arrived.get(content)! - at)
}

const describe = (delays: number[]): string =>
  `p50 ${round(percentile(delays, 0.5))} ms, p95 ${round(percentile(delays, 0.95))} ms, longest ${round(Math.max(...delays))} ms`

export async function measureDelays(stage: Stage, sizes: Sizes): Promise<boolean> {
  const incoming = await measureIn(stage, sizes)
  const outgoing = await measureOut(stage, sizes)
  const p95 = Math.max(percentile(incoming, 0.95), percentile(outgoing, 0.95))
  return tell('T1', `in: ${describe(incoming)}; out: ${describe(outgoing)}`, p95 <= 500)
}
