/** Why something is not possible, as a code and values: the dashboard words it in the language of its reader. */
export interface Reason {
  reason: string
  [value: string]: unknown
}

/** Whoever runs the command line asked for what cannot be: one sentence that says what to do, exit status 2. */
export class UserError extends Error {
  /** Null if the dashboard never causes this error. */
  readonly reason: Reason | null
  constructor(message: string, reason: Reason | null = null) {
    super(message)
    this.reason = reason
  }
}
