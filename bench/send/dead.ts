import { percentile, round } from '../figures.ts'
import { tell } from '../mail/stage.ts'
import { describe, type Load, measureDelays, warmUp } from './delay.ts'
import type { Stage } from './stage.ts'

/** Measures whether an SMTP server that accepts connections and never responds delays the replies of other mailboxes. */
export async function dead(stage: Stage, load: Load): Promise<boolean> {
  await warmUp(stage)
  const before = await measureDelays(stage, load)
  const [id] = stage.mailboxIds
  const place = { port: stage.ports.silentPort }
  await stage.db`
    update mailboxes set smtp = smtp || ${stage.db.json(place)}, version = version + 1
    where project_id is not null and id = ${id!}`
  const beside = await measureDelays(stage, load, id)
  const ratio = percentile(beside, 0.95) / percentile(before, 0.95)
  const measured = `${stage.mailboxIds.length} mailboxes, ${load.rate} replies/s: before ${describe(before)}; while one server does not respond, the others ${describe(beside)}: p95 ${round(ratio)}×`
  return tell('M9', measured, ratio <= 1.25)
}
