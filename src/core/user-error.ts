/** Why something is not possible, as a code and values. The dashboard words it. */
export interface Reason {
  reason: string
  [value: string]: unknown
}

/**
 * The user of the command line asked for something that is not possible. The message is one sentence that says what to do; the
 * exit status is 2.
 */
export class UserError extends Error {
  /** Null if the dashboard never causes this error. */
  readonly reason: Reason | null
  constructor(message: string, reason: Reason | null = null) {
    super(message)
    this.reason = reason
  }
}
