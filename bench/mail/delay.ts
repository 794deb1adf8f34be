import { setTimeout as sleep } from 'node:timers/promises'
import { median, percentile } from '../figures.ts'
import { makeUsualMail } from './mails.ts'
import { deliver, type Stage, saveMails, tell } from './stage.ts'

interface Updates {
  items: { data: { ticket?: { subject?: string } } }[]
  last_seq: number
}

async function read({ server, key }: Stage, query: string): Promise<Updates> {
  const headers = { authorization: `Bearer ${key}` }
  const response = await fetch(`${server.url}/api/v1/updates?events=ticket.created&${query}`, { headers })
  return (await response.json()) as Updates
}

/** Milliseconds from the start of each delivery until a waiting call has the event of its ticket. */
async function measure(
  stage: Stage,
  times: number,
  send: (paths: string[]) => Promise<void>,
): Promise<number[]> {
  const taken: number[] = []
  let { last_seq: seq } = await read(stage, 'timeout=0')
  for (let turn = 0; turn < times; turn++) {
    const waiting = read(stage, `timeout=50&after=${seq}`)
    await sleep(50 + Math.random() * 200)
    const paths = saveMails(stage, [makeUsualMail()])
    const begun = performance.now()
    const sending = send(paths)
    const { items, last_seq } = await waiting
    taken.push(performance.now() - begun)
    await sending
    if (items.length !== 1) throw new Error(`An email led to ${items.length} tickets`)
    seq = last_seq
  }
  return taken
}

const describe = (times: number[]): string =>
  `p50 ${median(times).toFixed(0)} ms, p95 ${percentile(times, 0.95).toFixed(0)} ms`

export async function delay(stage: Stage, { waits }: { waits: number }): Promise<boolean> {
  const byImap = await measure(stage, waits, paths =>
    deliver(stage, stage.dovecot.lmtpPort, 'support@example.com', paths),
  )
  const byLmtp = await measure(stage, waits, paths =>
    deliver(stage, stage.lmtpPort, 'listen@example.com', paths),
  )
  const isKept =
    median(byImap) <= 1_000 && percentile(byImap, 0.95) <= 2_000 && percentile(byLmtp, 0.95) <= 200
  return tell('M2', `${waits} each: by IMAP ${describe(byImap)}; by LMTP ${describe(byLmtp)}`, isKept)
}
