import type { DeliveryCode } from './sent-delivery.ts'

/** The bytes of an email cannot be built or read. This is not a fault of the mailbox or its server. */
export class BuildError extends Error {
  readonly code: Extract<DeliveryCode, 'file_missing' | 'not_built'>

  constructor(code: BuildError['code'], message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}

/** Wraps any other error in an BuildError. */
export const toBuildError = (error: unknown): BuildError =>
  error instanceof BuildError ? error : new BuildError('not_built', 'The email could not be built', error)
