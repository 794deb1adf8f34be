import { clock } from '../delivery/measure.ts'
import { round } from '../figures.ts'
import { record } from '../results.ts'
import { delays } from './receiver.ts'
import { addProject, register, type Stage, until, write } from './stage.ts'

/** A port without a listener. */
const nowhere = 'http://127.0.0.1:9/'
const expected = delays.reduce((sum, delay) => sum + delay, 0)
/** 2 % of the full time. Claims take the same time in both cases. */
const longest = expected * 1_000 * 0.02

/** Measures when an unreachable target with a backlog is switched off. */
export async function dead(stage: Stage, backlog: number): Promise<boolean> {
  const project = await addProject(stage)
  const { db } = stage
  await register(project, nowhere)
  const begun = clock()
  await write(project, 5, 100)
  await db`
    insert into webhook_queue (project_id, webhook_id, id, event_seq, event_id, event_type, attempts, run_at, created_at)
    select q.project_id, q.webhook_id, uuid_v7(), q.event_seq, q.event_id, q.event_type, 0, now(), now()
    from (select * from webhook_queue where project_id = ${project.id} limit 1) q, generate_series(1, ${backlog})`
  const filled = clock() - begun
  const isOff = async () =>
    (await db`select from webhooks where project_id = ${project.id} and not is_active`).count === 1
  const writing = write(project, 50 * 20, 50)
  const isSwitched = await until(isOff, 120)
  const late = clock() - begun - expected
  await writing
  const isKept = isSwitched && late >= 0 && late <= longest
  const measured = isSwitched
    ? `delays of a thousandth, ${backlog} waiting, 50 events a second: off after ${round((expected + late) / 1_000)} s, ${round(late / 1_000)} s after the sum of the delays`
    : 'not switched off'
  record('W21', {
    measured,
    isKept,
    note: 'With the real delays, the lateness in seconds is the same, and 2 % are 519 s',
  })
  console.log(`${measured}; the backlog took ${round(filled / 1_000)} s to write`)
  return isKept
}
