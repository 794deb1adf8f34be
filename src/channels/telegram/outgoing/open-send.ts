import type { Vault } from '../../../core/crypto.ts'
import type { Db } from '../../../core/db/db.ts'
import type { Log } from '../../../core/telemetry/log.ts'
import type { Storages } from '../../../media/media.ts'
import type { ClaimedMessage } from '../../../outgoing/outgoing.ts'
import type { BotApis } from '../bot-api/bot-apis.ts'
import type { ConnectedBot } from '../bots/bot.ts'
import type { SendRow } from './send-queries.ts'

/** What sending a message needs. */

export interface SendingDeps {
  db: Db
  vault: Vault
  log: Log
  storages: Storages
  apis: BotApis
  publicUrl: string
  /** Milliseconds between attempts, and after a lost answer. */
  pauses?: number[] | undefined
  uncertainMs?: number | undefined
}

export const usualUncertainMs = 10_000

export interface OpenSend {
  claimed: ClaimedMessage
  send: SendRow
  bot: ConnectedBot
  stopping: AbortSignal
}
