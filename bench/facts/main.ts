import { parseArgs } from 'node:util'
import { killReaders } from './kills.ts'
import { comparePosting } from './posting.ts'

const options = {
  events: { type: 'string', default: '5000' },
  kills: { type: 'string', default: '50' },
  against: { type: 'string' },
  seconds: { type: 'string', default: '3' },
  rounds: { type: 'string', default: '7' },
  connections: { type: 'string', default: '64' },
} as const

/** Kills the process that writes the facts of reports, or compares the speed of posting with another version. */
export async function facts(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options })
  const { against, events, kills, seconds, rounds, connections } = values
  const isKept = against
    ? await comparePosting(against, {
        seconds: Number(seconds),
        rounds: Number(rounds),
        connections: Number(connections),
      })
    : await killReaders(Number(events), Number(kills))
  return isKept ? 0 : 1
}
