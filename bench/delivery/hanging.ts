import { setTimeout as sleep } from 'node:timers/promises'
import { median, round } from '../figures.ts'
import { addProject, measure, type Stage } from './measure.ts'

export const rounds = 5

/** Until no attempt at the project's targets is under way; what is due later is dropped. */
async function settle({ db }: Stage, projectId: string): Promise<void> {
  await db`update webhooks set is_active = false where project_id = ${projectId}`
  const isBusy = async () => {
    const { count } =
      await db`select from webhook_queue where project_id = ${projectId} and lease_until > now()`
    return count > 0
  }
  while (await isBusy()) await sleep(200)
  await db`delete from webhook_queue where project_id = ${projectId}`
}

/** Half of the traffic goes to a target that never answers; the other target's times without that and with it. */
async function compareHanging(stage: Stage, project: string, seconds: number) {
  const other = await addProject(stage, ['c'])
  const alone = await measure(stage, [project, other], 200, seconds, 'b')
  await stage.db`update webhooks set url = ${`${stage.url}/hang`} where project_id = ${other}`
  const beside = await measure(stage, [project, other], 200, seconds, 'b')
  await settle(stage, other)
  return { alone: alone.p99_ms, beside: beside.p99_ms, ratio: round(beside.p99_ms / alone.p99_ms) }
}

/** In short turns: other programs on the machine then fall on both, and the median leaves out what falls on one. */
export async function hanging(stage: Stage, seconds: number) {
  const project = await addProject(stage, ['b'])
  const turns: Awaited<ReturnType<typeof compareHanging>>[] = []
  for (let turn = 0; turn < rounds; turn++)
    turns.push(await compareHanging(stage, project, Math.max(3, seconds / rounds)))
  return { turns, p99_ratio: median(turns.map(({ ratio }) => ratio)) }
}
