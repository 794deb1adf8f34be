import { metric, sumUp } from '../core/metrics.ts'
import type { Seats } from './seats.ts'

const rooms = new Map<Seats, string>()

metric('deskbell_waiters', 'Calls that wait for events (updates), and open tabs (live)', () =>
  sumUp(rooms, 'kind', seats => seats.taken),
)

/** Counts those who wait in these seats, until the function that comes back is called. */
export function measureSeats(kind: 'updates' | 'live', seats: Seats): () => void {
  rooms.set(seats, kind)
  return () => void rooms.delete(seats)
}
