import type { Vault } from '../../../core/crypto.ts'
import type { Db } from '../../../core/db/db.ts'
import type { Log } from '../../../core/telemetry/log.ts'
import type { Tx } from '../../../events/transaction.ts'
import type { Storages } from '../../../media/media.ts'
import type { ClaimedMessage } from '../../../outgoing/outgoing.ts'
import type { BotApis } from '../bot-api/bot-apis.ts'
import type { ConnectedBot } from '../bots/bot.ts'
import type { SendRow } from './send-queries.ts'

/** The dependencies and the state of sending a message. */

export interface SendingDeps {
  db: Db
  vault: Vault
  log: Log
  storages: Storages
  apis: BotApis
  publicUrl: string
  /** Emails a reply instead. Returns false if that is not possible. */
  sendByEmail?: ((tx: Tx, message: { id: string; ticket_id: string }) => Promise<boolean>) | undefined
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
