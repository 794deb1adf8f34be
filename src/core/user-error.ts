/** Whoever runs the command line asked for what cannot be: one sentence that says what to do, exit status 2. */
export class UserError extends Error {}
