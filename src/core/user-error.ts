/**
 * The user of the command line asked for something that is not possible. The message is one sentence that says what to do; the
 * exit status is 2.
 */
export class UserError extends Error {}
