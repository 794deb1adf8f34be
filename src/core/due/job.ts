import type { Db } from '../db/db.ts'

/** A background job for old data or rare events. It queries the tables of all projects, at most once a second. */
export interface Job {
  name: string
  everyMs: number
  /** Does some of the due work and returns how much. */
  run(db: Db): Promise<number>
}
