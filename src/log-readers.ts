import type { LogReader } from './events/cursor.ts'
import { factsReader } from './reports/facts.ts'

/** All readers of the log with a cursor. Events stay in the log until each of them has read them. */
export const logReaders: readonly LogReader[] = [factsReader]

export const readerNames = logReaders.map(({ name }) => name)
