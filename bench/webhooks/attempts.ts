import { percentile, round } from '../figures.ts'
import { record } from '../results.ts'
import type { Book } from './receiver.ts'
import { addProject, register, type Stage, until, write } from './stage.ts'

const targets = 10

/** A delivery that was claimed again after its lease would have a repeated attempt, but nothing here takes that long. */
const isWhole = ({ deliveries }: Book): boolean =>
  [...deliveries.values()].every(
    ({ attempts, bodies }) => bodies.size === 1 && attempts.every((number, at) => number === at + 1),
  )

/** Ten targets that accept each delivery at one of its six attempts. */
async function sendMany(stage: Stage, count: number, rate: number): Promise<boolean> {
  const project = await addProject(stage)
  const { book, url } = stage.receiver
  for (let at = 0; at < targets; at++) await register(project, `${url}/plan/${at}`)
  await write(project, count / targets, rate / targets)
  const left = async () =>
    (await stage.db`select from webhook_queue where project_id = ${project.id} limit 1`).count === 0
  const isDone = await until(left, 60)
  const sent = [...book.deliveries.values()].reduce((sum, { attempts }) => sum + attempts.length, 0)
  const isSame = isDone && book.deliveries.size === count && isWhole(book)
  const said = `${book.deliveries.size} deliveries in ${sent} attempts, ${isSame ? 'bytes, ids and numbers are correct' : 'WRONG'}`
  record('W12', { measured: said, isKept: isSame })
  console.log(said)
  return isSame
}

interface Delays {
  said: string
  isKept: boolean
}

function readDelays({ late }: Book): Delays {
  const all = late.toSorted((a, b) => a - b)
  const [least = Number.NaN, p99, most] = [all[0], percentile(all, 0.99), percentile(all, 1)]
  return {
    said: `delays of a thousandth: ${all.length} attempts, ${round(least, 0)} to ${round(most, 0)} ms late, p99 ${round(p99, 0)} ms`,
    isKept: least >= 0 && most <= 1_000,
  }
}

/** Measures the real first two delays: 30 s and 2 min. */
async function waitTwice(stage: Stage): Promise<Delays> {
  const project = await addProject(stage)
  await register(project, `${stage.receiver.url}/fail`)
  await write(project, 5, 5)
  const { arrivals } = stage.receiver.book
  await until(() => arrivals.length >= 15, 160)
  const times = arrivals.map(([, at]) => at)
  const late = times.slice(5).map((at, index) => at - times[index]! - (index < 5 ? 30_000 : 120_000))
  return {
    said: `real delays of 30 s and 2 min: ${late.length} attempts, ${round(Math.min(...late), 0)} to ${round(Math.max(...late), 0)} ms late`,
    isKept: late.length === 10 && late.every((ms, index) => ms >= 0 && ms <= (index < 5 ? 1_000 : 2_400)),
  }
}

/** `fast` has delays of a thousandth, `slow` the real ones. */
export async function attempts(fast: Stage, slow: Stage, count: number, rate: number): Promise<boolean> {
  const waiting = waitTwice(slow)
  const isSame = await sendMany(fast, count, rate)
  const delays = [readDelays(fast.receiver.book), await waiting]
  const isKept = delays.every(one => one.isKept)
  const measured = delays.map(one => one.said).join('; ')
  record('W11', { measured, isKept })
  console.log(measured)
  return isSame && isKept
}
