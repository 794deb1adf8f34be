import { metric, sumUp } from '../telemetry/metrics.ts'
import { type Db, loadOf } from './db.ts'
import { countQueuedSearches } from './search-deadline.ts'

const pools = new Map<Db, string>()

metric('deskbell_db_connections_open', 'Open connections, by what they are for', () =>
  sumUp(pools, 'pool', db => loadOf(db).open),
)

metric('deskbell_db_connections_in_use', 'Connections with a statement or a transaction in progress', () =>
  sumUp(pools, 'pool', db => loadOf(db).inUse),
)

metric('deskbell_db_waiting', 'Statements that wait for a connection', () =>
  sumUp(pools, 'pool', db => loadOf(db).waiting + countQueuedSearches(db)),
)

/** Adds the pool to the metrics until the returned function is called. */
export function measurePool(name: string, db: Db): () => void {
  pools.set(db, name)
  return () => void pools.delete(db)
}
