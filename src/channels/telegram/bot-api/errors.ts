import type { ApiError as BotApiAnswer } from '@grammyjs/types'

/** Servers of projects may say anything, and what they say is stored. */
const toReason = (description: unknown): string =>
  String(description).replaceAll('\0', '').toWellFormed().slice(0, 300)

/** The server has refused a call. */
export class BotApiRefusal extends Error {
  readonly code: number
  /** Seconds to wait, if there were too many calls. */
  readonly retryAfter: number | null
  /** The new id of a group that has become a supergroup. */
  readonly migratedTo: number | null

  constructor({ error_code, description, parameters }: BotApiAnswer) {
    super(toReason(description))
    this.code = error_code
    this.retryAfter = parameters?.retry_after ?? null
    this.migratedTo = parameters?.migrate_to_chat_id ?? null
  }
}

const readErrorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** There was no answer to a call. */
export class NoAnswer extends Error {
  /** Such as ECONNREFUSED. */
  readonly code: string
  /** Whether the server may have acted on the call. */
  readonly isSent: boolean

  constructor(cause: unknown, isSent: boolean) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.code = readErrorCode(cause)
    this.isSent = isSent
  }
}
