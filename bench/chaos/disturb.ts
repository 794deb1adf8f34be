import { setTimeout as sleep } from 'node:timers/promises'
import { faults } from './faults.ts'
import { type Stage, untilReady } from './stage.ts'

/** A fault that happened; times are in milliseconds since 1970. */
export interface Happening {
  fault: string
  detail: string
  at: number
  /** When it was over, and the way back began. */
  overAt: number
  /** Milliseconds from then until every process was ready; null when one never was, absent when nobody waited for it. */
  readyMs?: number | null
}

/** The next fault need not wait until the process is back: others do its work. */
const overlapping = ['kill', 'restart']

/** Each once before any comes again, in an order of chance. */
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
  const end =
    readyMs === null ? '; NOT READY AGAIN' : readyMs === undefined ? '' : `; ready after ${readyMs} ms`
  return `${time} s  ${fault}: ${detail}${end}`
}

/** Milliseconds. What a snapshot has kept is tidied up after it. */
const restAfter = (name: string, { hold, random }: Stage): number =>
  name === 'snapshot' ? hold * 170 : 500 + random() * 3_000

/** One fault after another for so many seconds. */
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
  }
  return happenings
}
