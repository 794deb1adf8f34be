import { setFanOut } from '../../src/events/log.ts'
import { fanOut } from '../../src/webhooks/fanout.ts'
import { type Writing, write } from './writing.ts'

/** The database alone: a process that uses only the driver. */

setFanOut(fanOut)
process.on('message', async (order: Writing) => process.send!(await write(order)))
process.on('disconnect', () => process.exit())
