import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../../test/until.ts'
import { percentile, printTable, round } from '../figures.ts'
import { type Watched, watch } from '../watch.ts'
import { makeLargeMail } from './mails.ts'
import { countHandled, deliver, type Stage, saveMails, tell } from './stage.ts'

async function receive(stage: Stage, port: number, to: string, paths: string[]): Promise<void> {
  const before = await countHandled(stage)
  await deliver(stage, port, to, paths)
  await until(async () => (await countHandled(stage)) > before, 120)
}

async function list({ server, key }: Stage): Promise<number> {
  const begun = performance.now()
  const headers = { authorization: `Bearer ${key}` }
  const response = await fetch(`${server.url}/api/v1/tickets?page_size=1`, { headers })
  await response.arrayBuffer()
  return performance.now() - begun
}

/** Measures the memory and concurrent calls while a large email arrives, on each way three times. */
export async function large(stage: Stage, { bytes }: { bytes: number }): Promise<boolean> {
  const rows: (string | number)[][] = []
  const worst = { rise: 0, call: 0 }
  const note = (name: string, { rise, calls }: Watched) => {
    const longest = Math.max(...calls)
    rows.push([name, round(rise, 0), round(percentile(calls, 0.5), 1), round(longest, 1)])
    return { rise, longest }
  }
  const ways = [
    ['IMAP', stage.dovecot.lmtpPort, 'support@example.com'],
    ['LMTP', stage.lmtpPort, 'listen@example.com'],
  ] as const
  for (const [, port, to] of ways)
    await receive(stage, port, to, saveMails(stage, [makeLargeMail(1_000_000)]))
  const observe = (work: () => Promise<unknown>) => watch(stage.server, () => list(stage), work)
  await observe(() => sleep(1_000))
  const alone = note('no email', await observe(() => sleep(5_000)))
  for (const [name, port, to] of ways)
    for (let turn = 0; turn < 3; turn++) {
      const paths = saveMails(stage, [makeLargeMail(bytes)])
      const { rise, longest } = note(name, await observe(() => receive(stage, port, to, paths)))
      worst.rise = Math.max(worst.rise, rise)
      worst.call = Math.max(worst.call, longest)
    }
  console.log(printTable([`${round(bytes / 1e6, 0)} MB`, 'MiB more', 'p50 ms of calls', 'longest'], rows))
  const measured = `resident memory +${worst.rise.toFixed(0)} MiB, longest call ${worst.call.toFixed(0)} ms (${alone.longest.toFixed(0)} ms without an email)`
  return tell('M3', measured, worst.rise <= 60 && worst.call <= 50)
}
