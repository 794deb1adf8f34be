import type { Sql } from '../db/db.ts'
import { refuse } from '../errors.ts'

export interface Quota {
  /** What is counted and for whom, such as `views` and the ids of project and person. */
  of: string[]
  max: number
  /** The field that the error names when the quota is reached. */
  field: string
}

/** Concurrent additions to the same quota wait until this transaction ends, so each counts what the earlier ones added. */
export async function requireQuota(
  tx: Sql,
  { of, max, field }: Quota,
  count: () => Promise<number>,
): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${of.join(' ')}, 0))`
  if ((await count()) >= max) throw refuse(field, 'too_many', { max })
}
