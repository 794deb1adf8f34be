import type { Channel } from '../channel.ts'
import { telegramDashboard } from './dashboard.ts'
import { deleteOldUpdates } from './incoming/chat-queries.ts'
import { reportBotOutage } from './notices/report-outage.ts'
import { createTelegramOutlet } from './outgoing/outlet.ts'
import { mountTelegramWebhook } from './receiving/webhook-route.ts'
import { startTelegram } from './start.ts'

export const telegramChannel: Channel = {
  createOutlet: createTelegramOutlet,
  dashboard: telegramDashboard,
  routes: { path: 'telegram', mount: mountTelegramWebhook },
  start: startTelegram,
  jobs: ({ config, mailer }) => [
    {
      name: 'email admins about Telegram bots that fail',
      everyMs: 60_000,
      run: db => reportBotOutage(db, mailer && { ...config, mailer }),
    },
    { name: 'delete old updates of Telegram bots', everyMs: 600_000, run: db => deleteOldUpdates(db) },
  ],
}
