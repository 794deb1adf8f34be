import { setTimeout as sleep } from 'node:timers/promises'
import { faults } from './faults.ts'
import { type Stage, untilReady } from './stage.ts'

/** A fault that was caused. Times are in milliseconds since 1970. */
export interface Happening {
  fault: string
  detail: string
  at: number
  /** When the fault ended and the recovery began. */
  overAt: number
  /** Milliseconds from then until all processes were ready; null if one never was, absent if the run did not wait. */
  readyMs?: number | null
}

/** Faults after which the run does not wait for the process to recover, because others do its work. */
const overlapping = ['kill', 'restart']

/** A random order, in which each fault occurs once before any is repeated. */
function shuffle(random: () => number, names: string[]): string[] {
  return names
    .map(name => ({ name, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ name }) => name)
}

async function happen(stage: Stage, fault: string): Promise<Happening | null> {
  const at = Date.now()
  const detail = await faults[fault]!(stage)
  const overAt = Date.now()
  if (detail === null) return null
  const readyMs = overlapping.includes(fault) ? undefined : await untilReady(stage)
  return { fault, detail, at, overAt, readyMs }
}

function print({ fault, detail, readyMs }: Happening, begun: number): string {
  const time = ((Date.now() - begun) / 1_000).toFixed(1).padStart(6)
  const end = readyMs === null ? '; NOT READY' : readyMs === undefined ? '' : `; ready after ${readyMs} ms`
  return `${time} s  ${fault}: ${detail}${end}`
}

/** Milliseconds. Longer after a snapshot, because vacuum then cleans up. */
const restAfter = (name: string, { hold, random }: Stage): number =>
  name === 'snapshot' ? hold * 170 : 500 + random() * 3_000

/** Causes one fault after another for this many seconds. Fails if none of them can be caused on this machine. */
export async function disturb(stage: Stage, names: string[], seconds: number): Promise<Happening[]> {
  const happenings: Happening[] = []
  const begun = Date.now()
  const isOver = () => Date.now() - begun > seconds * 1_000
  await sleep(Math.max(Math.min(seconds * 150, 5_000), seconds * 30))
  while (!isOver()) {
    for (const name of shuffle(stage.random, names)) {
      if (isOver()) break
      const happening = await happen(stage, name)
      if (!happening) continue
      happenings.push(happening)
      console.log(print(happening, begun))
      await sleep(restAfter(name, stage))
    }
    // Otherwise the loop would never yield, and nothing would be measured.
    if (!happenings.length && !isOver())
      throw new Error(`cannot cause ${names.join(' or ')} here; bench/README.md says what each fault needs`)
  }
  return happenings
}
