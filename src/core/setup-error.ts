/** The start or a command cannot go on, for a reason that whoever runs Deskbell can mend: one sentence, no stack. */
export class SetupError extends Error {}

export const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException)?.code ?? 'unknown error'
