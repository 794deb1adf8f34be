import type { Endpoint } from '../core/endpoint.ts'
import { type EmailDashboardDeps, emailDashboard } from './email/dashboard.ts'
import { type TelegramDashboardDeps, telegramDashboard } from './telegram/dashboard.ts'

/** The operations for people about the channels that leave Deskbell. */

export type MessengerDeps = EmailDashboardDeps & TelegramDashboardDeps

export const messengerDashboard = (deps: MessengerDeps): Endpoint[] => [
  ...emailDashboard(deps),
  ...telegramDashboard(deps),
]
