import type { Reason } from '../user-error.ts'

/**
 * The start or a command cannot continue, for a reason that an administrator can fix. It is printed as one sentence without a
 * stack.
 */
export class SetupError extends Error {
  /** For errors that the dashboard shows too. */
  readonly reason: Reason | null
  constructor(
    message: string,
    { reason = null, ...options }: ErrorOptions & { reason?: Reason | null } = {},
  ) {
    super(message, options)
    this.reason = reason
  }
}

/** A setting is wrong, so starting again fails until it is corrected. */
export class SettingError extends SetupError {}
