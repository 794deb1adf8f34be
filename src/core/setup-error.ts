/** The start or a command cannot go on, for a reason that whoever runs Deskbell can mend: one sentence, no stack. */
export class SetupError extends Error {}

/** A setting is wrong: starting again cannot help before somebody has corrected it. */
export class SettingError extends SetupError {}

export const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException)?.code ?? 'unknown error'
