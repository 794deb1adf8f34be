import { createBatch } from '../core/batch.ts'
import type { Db } from '../core/db.ts'
import { type OpenedRow, openKeys } from './queries.ts'

export interface Opened {
  isMaintenance: boolean
  opened: OpenedRow | null
}

/** Looks up the project of a key on every request, so that disabling a key takes effect with the next one. */
export const createLookup = (db: Db): ((hash: string | null) => Promise<Opened>) =>
  createBatch(async hashes => {
    const { maintenance, opened } = await openKeys(db, [...new Set(hashes.flatMap(hash => hash ?? []))])
    return hash => ({ isMaintenance: maintenance, opened: (hash && opened.get(hash)) || null })
  })
