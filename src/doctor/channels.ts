import { SetupError } from '../core/config/setup-error.ts'
import type { Db } from '../core/db/db.ts'
import { type Check, check, listSome } from './check.ts'

/** The check of custom channels. */

interface ChannelReport {
  title: string
  project: string
  state: string
  /** How long the oldest message has waited for the channel's program; null if none waits. */
  waiting_seconds: number | null
}

const maxWaitSeconds = 15 * 60

const listChannelReports = (db: Db) => db<ChannelReport[]>`
  select c.title, p.name as project, c.state, (
    select extract(epoch from now() - min(q.created_at))::float8 from outgoing_queue q
    where q.project_id = c.project_id and q.account_id = c.id) as waiting_seconds
  from custom_channels c join projects p on p.id = c.project_id and p.deleting_since is null
  where c.project_id = p.id order by c.created_at, c.id`

function describeChannels(channels: ChannelReport[]): string {
  const active = channels.filter(({ state }) => state === 'active')
  const late = active.filter(({ waiting_seconds }) => (waiting_seconds ?? 0) > maxWaitSeconds)
  if (late.length)
    throw new SetupError(
      `replies in ${listSome(late.map(({ title, project }) => `${title} (${project})`))} have waited for more than 15 min; start the program that connects the messenger, or pause the channel`,
    )
  return `${channels.length}, ${channels.length - active.length} paused`
}

/** Returns no check if there are no channels. */
export async function examineChannels(db: Db): Promise<Check[]> {
  const channels = await listChannelReports(db)
  return channels.length ? [await check('custom channels', () => describeChannels(channels))] : []
}
