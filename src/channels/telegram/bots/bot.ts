import type { BotTexts } from './texts-schema.ts'

/** The shapes of bot rows. */

export type Receiving = 'auto' | 'polling' | 'webhook'
export type BotState = 'active' | 'paused' | 'broken'

export interface StoredBotFault {
  code: string
  values: Record<string, string>
  at: string
}

export interface TelegramBotRow {
  id: string
  telegram_id: number
  username: string
  name: string
  has_picture: boolean
  api_root: string
  receiving: Receiving
  department_id: string | null
  takes_groups: boolean
  sends_away: boolean
  asks_phone: boolean
  asks_rating: boolean
  texts: BotTexts
  state: BotState
  last_ok_at: string | null
  last_error: StoredBotFault | null
  backoff_until: string | null
  /** A period in which updates may be missing, because Telegram keeps them for only 24 hours. */
  missed: { from: string; until: string } | null
  /** Updates that could not be handled; null if there are none. */
  failed_updates: { count: number; since: string; last_error: string | null } | null
  version: number
  created_at: string
}

/** Adds the columns that only receiving and sending need. */
export interface ConnectedBot extends Omit<TelegramBotRow, 'failed_updates'> {
  project_id: string
  token: Buffer
  failures: number
  next_update_id: number
  /** Whether the last update arrived within three days. After a week without updates, Telegram continues with a random id. */
  is_in_sequence: boolean
}

/** A bot's token and the server that accepts it. */
export interface BotToken {
  token: string
  api_root?: string
}

export interface BotSettings {
  name?: string
  receiving?: Receiving
  department_id?: string | null
  takes_groups?: boolean
  sends_away?: boolean
  asks_phone?: boolean
  asks_rating?: boolean
  texts?: BotTexts
}

export type NewBot = BotSettings & BotToken
export type BotChange = BotSettings & Partial<BotToken>
