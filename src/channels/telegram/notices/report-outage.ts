import type { Db } from '../../../core/db/db.ts'
import type { OutageProject, OutageSender } from '../../../operators/operators.ts'
import { reportOutageOf } from '../../accounts/report-outage.ts'
import { wordBotFault } from '../bots/bot-fault.ts'
import { botMailTextsOf } from './texts/texts.ts'

interface BotReport extends OutageProject {
  id: string
  username: string
  failing_since: string
  fault: Parameters<typeof wordBotFault>[0]
}

/** Emails the admins of one project about one bot that cannot receive messages. */
export const reportBotOutage = (db: Db, sender: OutageSender | null): Promise<number> =>
  reportOutageOf<BotReport>(db, sender, {
    table: 'telegram_bots',
    timeColumn: 'report_at',
    isDue: sql => sql`a.report_at <= now() and a.state in ('active', 'broken')`,
    columns: sql => sql`a.username, a.failing_since, a.last_error as fault`,
    describe({ id, username, fault, failing_since, locale }) {
      const language = botMailTextsOf(locale)
      return {
        id: `telegram-bot.${id}.${Date.parse(failing_since)}`,
        ...{ language, texts: language.texts.outage },
        values: { username, reason: wordBotFault(fault) },
        page: `settings/telegram-bots/${id}`,
      }
    },
  })
