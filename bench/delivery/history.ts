import { setTimeout as sleep } from 'node:timers/promises'
import { withoutTimeout } from '../../src/core/db/db.ts'
import { deleteWebhook } from '../../src/webhooks/webhooks.ts'
import { addProject, clock, measure, type Stage } from './measure.ts'

const rows = 1_000_000
/** Rows per statement, so that no statement reaches the timeout. */
const batch = 20_000

/** Inserts as many finished deliveries as a webhook has after some days. */
async function fill({ db }: Stage, projectId: string): Promise<string> {
  const [webhook] = await db<{ id: string }[]>`select id from webhooks where project_id = ${projectId}`
  for (let filled = 0; filled < rows; filled += batch) {
    await db`
      insert into webhook_deliveries (project_id, webhook_id, id, event_id, event_type, status, attempts,
        attempts_log, request_body, created_at, finished_at)
      select ${projectId}, ${webhook!.id}, gen_random_uuid(), gen_random_uuid(), 'ticket.reopened', 'succeeded', 1,
        '[{"status_code":200}]', repeat('x', 300), now(), now()
      from generate_series(1, ${batch}::int)`
  }
  // Otherwise the checkpoint and vacuum after filling would distort the measurement.
  await withoutTimeout(db, async own => {
    await own`vacuum (analyze) webhook_deliveries`
    await own`checkpoint`
  })
  return webhook!.id
}

const isThere = async ({ db }: Stage, webhookId: string): Promise<boolean> =>
  (await db`select from webhook_deliveries where webhook_id = ${webhookId} limit 1`).count > 0

/** Deletes a webhook with a long history while others get deliveries. */
export async function erase(stage: Stage, seconds: number) {
  const [project, other] = [await addProject(stage, ['old']), await addProject(stage, ['ok'])]
  const webhookId = await fill(stage, project)
  const alone = await measure(stage, [other], 100, seconds)
  const begun = clock()
  await deleteWebhook(stage.db, project, webhookId)
  const took_ms = Math.round(clock() - begun)
  const beside = await measure(stage, [other], 100, seconds)
  while (await isThere(stage, webhookId)) await sleep(500)
  return {
    took_ms,
    alone: alone.whole_p99_ms,
    beside: beside.whole_p99_ms,
    gone_s: Math.round((clock() - begun) / 1_000),
  }
}
