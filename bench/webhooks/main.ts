import { parseArgs } from 'node:util'
import { attempts } from './attempts.ts'
import { dead } from './dead.ts'
import { endless, faulty } from './faults.ts'
import { type Stage, withStage } from './stage.ts'
import { stops } from './stops.ts'

const options = {
  deliveries: { type: 'string', default: '10000' },
  rate: { type: 'string', default: '100' },
  stops: { type: 'string', default: '1000' },
  backlog: { type: 'string', default: '1000000' },
  only: { type: 'string', default: 'attempts,stops,faults,dead' },
} as const

/** Checks the delays, bytes and end of deliveries, and that a stopped webhook gets no more. */
export async function webhooks(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options })
  const [count, rate] = [Number(values.deliveries), Number(values.rate)]
  const parts: Record<string, [scale: number, run: (stage: Stage) => Promise<boolean>]> = {
    attempts: [0.001, fast => withStage(1, slow => attempts(fast, slow, count, rate))],
    stops: [0.001, stage => stops(stage, Number(values.stops))],
    faults: [1, async stage => [await endless(stage), await faulty(stage)].every(Boolean)],
    dead: [0.001, stage => dead(stage, Number(values.backlog))],
  }
  let isKept = true
  for (const name of values.only.split(',')) {
    const part = parts[name]
    if (!part) throw new Error(`--only knows ${Object.keys(parts).join(', ')}, not ${name}`)
    if (!(await withStage(...part))) isKept = false
  }
  return isKept ? 0 : 1
}
