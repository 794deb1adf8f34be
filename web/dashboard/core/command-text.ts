import { commands } from './texts/en/commands.ts'

/** Texts of the command bar, which is loaded after the first page. */
export const commandText = { ...commands }
