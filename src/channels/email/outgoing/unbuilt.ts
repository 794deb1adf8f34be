import type { DeliveryCode } from './sent-delivery.ts'

/** An email whose bytes cannot be built or read. The fault is neither the mailbox's nor its server's. */
export class UnbuiltError extends Error {
  readonly code: Extract<DeliveryCode, 'file_missing' | 'not_built'>

  constructor(code: UnbuiltError['code'], message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}

/** Marks any other error as one of these. */
export const toUnbuilt = (error: unknown): UnbuiltError =>
  error instanceof UnbuiltError ? error : new UnbuiltError('not_built', 'The email could not be built', error)
