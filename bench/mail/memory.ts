import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../../test/until.ts'
import { type Caller, openCaller } from '../calls.ts'
import { round } from '../figures.ts'
import { memoryOf } from '../process.ts'
import type { SinkPorts } from '../send/sink.ts'
import { makeUsualMail } from './mails.ts'
import { command, deliver, type Stage, saveMails, tell } from './stage.ts'

/** Measures whether the server's memory grows while it receives and answers emails for hours. */

const address = 'both@example.com'

interface Sample {
  hours: number
  /** MB after garbage collection. */
  memory: number
}

/** Growth in MB per hour, by least squares. */
function slopeOf(samples: Sample[]): number {
  const mean = (of: (sample: Sample) => number): number =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length
  const [hours, memory] = [mean(one => one.hours), mean(one => one.memory)]
  const covariance = mean(one => (one.hours - hours) * (one.memory - memory))
  return covariance / mean(one => (one.hours - hours) ** 2)
}

async function addMailbox(stage: Stage): Promise<() => void> {
  const sink = fork(new URL('../send/sink.ts', import.meta.url), ['0'])
  const [{ port }] = (await once(sink, 'message')) as [SinkPorts]
  const smtp = ['--sending', 'smtp', '--smtp-host', '127.0.0.1', '--smtp-port', String(port)]
  const login = ['--smtp-security', 'none', '--smtp-auth', 'none']
  const place = ['--project', stage.projectId, '--address', address, '--incoming', 'listen']
  await command(stage, 'mailbox', 'create', ...place, ...smtp, ...login)
  await stage.db`
    update mailboxes set send_rate = 10000 where project_id = ${stage.projectId} and address = ${address}`
  return () => sink.disconnect()
}

interface Updates {
  items: { data: { ticket_id: string } }[]
  last_seq: number
}

/** Replies in each new ticket. Returns the number of replies. */
async function answer(caller: Caller, stopping: AbortSignal): Promise<number> {
  const read = async (query: string): Promise<Updates> =>
    JSON.parse((await caller.call('GET', `/updates?events=ticket.created&${query}`)).text)
  let count = 0
  for (let { last_seq: seq } = await read('timeout=0'); !stopping.aborted; ) {
    const { items, last_seq } = await read(`timeout=5&after=${seq}`)
    for (const { data } of items) {
      const content = 'We will send a new shade. Which colour would you like? '.repeat(5)
      const { status, text } = await caller.call('POST', `/tickets/${data.ticket_id}/messages`, { content })
      if (status !== 201) throw new Error(`${status} ${text}`)
      count++
    }
    seq = last_seq
  }
  return count
}

async function sample({ server }: Stage, begun: number): Promise<Sample> {
  server.child.kill('SIGUSR2')
  await sleep(1_000)
  return { hours: (performance.now() - begun) / 3_600_000, memory: memoryOf(server) }
}

async function takeSamples(stage: Stage, seconds: number): Promise<Sample[]> {
  const begun = performance.now()
  const samples: Sample[] = []
  while (performance.now() - begun < seconds * 1_000) {
    await sleep(Math.min(60_000, (seconds * 1_000) / 20))
    samples.push(await sample(stage, begun))
  }
  return samples
}

/** `rate` emails arrive each second, and each gets a reply. The first quarter of the time is left out, because it fills the caches. */
export async function memory(stage: Stage, { rate, seconds }: { rate: number; seconds: number }) {
  const close = await addMailbox(stage)
  const caller = openCaller(stage.server.url, stage.key)
  const stopping = new AbortController()
  const answering = answer(caller, stopping.signal)
  const sampling = takeSamples(stage, seconds)
  const begun = performance.now()
  for (let number = 0; number < rate * seconds; number++) {
    await sleep(Math.max(begun + (number * 1_000) / rate - performance.now(), 1))
    await deliver(stage, stage.lmtpPort, address, saveMails(stage, [makeUsualMail()]))
  }
  const samples = await sampling
  stopping.abort()
  const answers = await answering
  const { db, projectId } = stage
  await until(
    async () => !(await db`select from outgoing_queue where project_id = ${projectId} limit 1`).length,
    120,
  )
  caller.close()
  close()
  const slope = slopeOf(samples.filter(({ hours }) => hours > seconds / 3_600 / 4))
  const measured = `${rate * seconds} emails in and ${answers} out in ${round(samples.at(-1)!.hours, 1)} h: resident memory ${round(samples[0]!.memory, 0)} MB, then ${round(samples.at(-1)!.memory, 0)} MB, ${round(slope, 1)} MB an hour`
  return tell('M10', measured, slope <= 1)
}
