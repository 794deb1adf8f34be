import type { Db } from '../../src/core/db/db.ts'

/** Tables whose rows are often updated, or inserted and deleted. None may grow while its number of rows does not. */
export const hot = [
  'api_requests',
  'events',
  'project_counters',
  'ticket_activity',
  'tickets',
  'webhook_queue',
] as const

export interface Sample {
  name: string
  live: number
  dead: number
  bytes: number
}

export const takeSamples = (db: Db) => db<Sample[]>`
  select relname as name, n_live_tup as live, n_dead_tup as dead, pg_total_relation_size(relid) as bytes
  from pg_stat_user_tables where relname = any(${hot as never}) order by relname`

export interface Course {
  name: string
  live: number
  /** The maximum in the second half, after autovacuum has run. */
  mostDead: number
  /** The size halfway, and the maximum after that. */
  half: number
  most: number
}

/** The development of each table. */
export function follow(rounds: (readonly Sample[])[]): Course[] {
  const later = rounds.slice(Math.floor(rounds.length / 2))
  return hot.map(name => {
    const of = later.map(round => round.find(sample => sample.name === name)!)
    return {
      name,
      live: of.at(-1)!.live,
      mostDead: Math.max(...of.map(({ dead }) => dead)),
      half: of[0]!.bytes,
      most: Math.max(...of.map(({ bytes }) => bytes)),
    }
  })
}

/** Tolerates a tenth more, or one extension of the table. */
const growth = 0.1
const step = 512 * 1024

export const isFlat = ({ half, most }: Course): boolean => most <= half * (1 + growth) + step
