import { PaperAirplaneIcon } from '@heroicons/react/20/solid'
import { text } from '../core/text.ts'
import type { SettingsPageEntry } from './pages.ts'

const botPage = { title: () => text.pages.telegramBots, icon: PaperAirplaneIcon, minRole: 'admin' as const }

/** The settings pages for Telegram bots. */
export const telegramPages: SettingsPageEntry[] = [
  { ...botPage, path: 'telegram-bots', load: () => import('../telegram-bots/telegram-bots-page.tsx') },
  {
    ...{ ...botPage, isHidden: true },
    path: 'telegram-bots/add',
    load: () => import('../telegram-bots/add-telegram-bot-page.tsx'),
  },
  {
    ...{ ...botPage, isHidden: true },
    path: 'telegram-bots/$botId',
    load: () => import('../telegram-bots/telegram-bot-page.tsx'),
  },
]
