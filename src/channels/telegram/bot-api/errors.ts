import type { ApiError as BotApiAnswer } from '@grammyjs/types'

/** The reason is stored, and a project's own server can return any text. */
const toReason = (description: unknown): string =>
  String(description).replaceAll('\0', '').toWellFormed().slice(0, 300)

/** The server refused a call. */
export class BotApiRefusal extends Error {
  readonly code: number
  /** Whether a proxy answered instead of the server. */
  readonly isFromProxy: boolean
  /** Seconds to wait after too many calls; null otherwise. */
  readonly retryAfter: number | null
  /** The new id of a group that became a supergroup; null otherwise. */
  readonly migratedTo: number | null

  constructor({ error_code, description, parameters }: BotApiAnswer, isFromProxy = false) {
    super(toReason(description))
    this.isFromProxy = isFromProxy
    this.code = error_code
    this.retryAfter = parameters?.retry_after ?? null
    this.migratedTo = parameters?.migrate_to_chat_id ?? null
  }
}
