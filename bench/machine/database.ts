import { type Writing, write } from './writing.ts'

/** The database alone: a process that uses only the driver. */

process.on('message', async (order: Writing) => process.send!(await write(order)))
process.on('disconnect', () => process.exit())
