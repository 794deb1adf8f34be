import { SetupError } from '../core/config/setup-error.ts'
import type { Db } from '../core/db/db.ts'
import { listReaderLags, listTicketsSetAside } from '../events/cursor-queries.ts'
import { readerNames } from '../log-readers.ts'
import { listSome } from './check.ts'

/** Seconds. Events are read within seconds. */
const maxLag = 15 * 60

async function requireNoneSetAside(db: Db): Promise<void> {
  const tickets = await listTicketsSetAside(db)
  if (tickets.length === 0) return
  const words = tickets.map(
    ({ reader, project, ticket_id, error }) => `${reader}: ticket ${ticket_id} of ${project} (${error})`,
  )
  throw new SetupError(
    `events of these tickets could not be read and are tried again every hour: ${listSome(words)}; report this as a bug`,
  )
}

/** Without a running server, nothing is read. */
export async function describeLogReaders(db: Db, isServing: boolean): Promise<string> {
  const lags = await listReaderLags(db, readerNames)
  const late = isServing && lags.find(({ seconds }) => seconds > maxLag)
  if (late)
    throw new SetupError(
      `${late.reader} has ${late.events} unread events, the oldest for ${Math.round(late.seconds / 60)} min; check that a process with the role jobs is running, and see its log`,
    )
  await requireNoneSetAside(db)
  const count = Math.max(...lags.map(({ events }) => events))
  return count === 0 ? 'all events are read' : `unread: ${count}`
}
