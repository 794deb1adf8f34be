import type { Db, Fragment, Sql } from '../../../core/db/db.ts'
import type { OutageProject, OutageSender } from '../../../operators/operators.ts'
import { reportOutageOf } from '../../accounts/report-outage.ts'
import { channelMailTextsOf } from './texts/texts.ts'

interface ChannelReport extends OutageProject {
  id: string
  title: string
  waiting_since: string
}

/** The time when the oldest message that waits for the program of the channel `a` was queued. */
const oldest = (sql: Sql): Fragment =>
  sql`(select min(q.created_at) from outgoing_queue q where q.project_id = a.project_id and q.account_id = a.id)`

/** Once no message has been waiting for 15 minutes, the next outage of the channel is reported again. */
const updateRecovered = (db: Db) => db`
  update custom_channels a set report_at = null
  where a.project_id is not null and a.report_at is not null and (${oldest(db)} < now() - interval '15 minutes') is not true`

/** Emails the admins of one project about one custom channel whose program does not send the waiting messages. */
export async function reportChannelOutage(db: Db, sender: OutageSender | null): Promise<number> {
  await updateRecovered(db)
  return reportOutageOf<ChannelReport>(db, sender, {
    table: 'custom_channels',
    timeColumn: 'report_at',
    isDue: sql => sql`a.state = 'active' and (a.report_at is null or a.report_at <= now())
      and ${oldest(sql)} < now() - interval '15 minutes'`,
    columns: sql => sql`a.title, ${oldest(sql)} as waiting_since`,
    describe({ id, title, waiting_since, locale }) {
      const language = channelMailTextsOf(locale)
      return {
        id: `channel.${id}.${Date.parse(waiting_since)}`,
        ...{ language, texts: language.texts.outage },
        values: { title },
        page: `settings/channels/${id}`,
      }
    },
  })
}
