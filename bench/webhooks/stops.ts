import { setTimeout as sleep } from 'node:timers/promises'
import { clock } from '../delivery/measure.ts'
import { round } from '../figures.ts'
import { record } from '../results.ts'
import { addProject, call, type Project, register, type Stage, until, write } from './stage.ts'

const together = 20

/** Registers webhooks, lets each fail at least once, and stops them by switching them off or deleting them in turn. */
async function stopSome(stage: Stage, project: Project, round: number, stopped: Map<string, number>) {
  const { book, url } = stage.receiver
  const paths = Array.from({ length: together }, (_, at) => `/stop/${round}/${at}`)
  const ids = await Promise.all(paths.map(path => register(project, url + path)))
  const from = book.arrivals.length
  await write(project, 2, 100)
  const hasAll = () => new Set(book.arrivals.slice(from).map(([path]) => path)).size >= together
  if (!(await until(hasAll, 20))) throw new Error('Some webhooks got no attempt within 20 s')
  await Promise.all(
    ids.map(async (id, at) => {
      if (at % 2) await call(project.caller, 'DELETE', `/webhooks/${id}`)
      else await call(project.caller, 'PATCH', `/webhooks/${id}`, { is_active: false })
      stopped.set(paths[at]!, clock())
    }),
  )
  // Otherwise they would get the events of later rounds.
  for (const [at, id] of ids.entries())
    if (at % 2 === 0) await call(project.caller, 'DELETE', `/webhooks/${id}`)
}

/** No attempt starts later than a second after a webhook with failing attempts was stopped. */
export async function stops(stage: Stage, count: number): Promise<boolean> {
  const project = await addProject(stage)
  const stopped = new Map<string, number>()
  for (let round = 0; round < count / together; round++) await stopSome(stage, project, round, stopped)
  // The longest delay.
  await sleep(23_000)
  const after = stage.receiver.book.arrivals
    .filter(([path]) => stopped.has(path))
    .map(([path, at]) => at - stopped.get(path)!)
  const latest = Math.max(...after)
  const isKept = latest <= 1_000 && stopped.size === count
  const said = `${stopped.size} webhooks stopped; the last attempt started ${round(latest, 0)} ms after the response, ${after.filter(ms => ms > 1_000).length} more than a second after it`
  record('W19', { measured: said, isKept })
  console.log(said)
  return isKept
}
