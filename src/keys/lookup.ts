import { createBatch } from '../core/batch.ts'
import type { Db } from '../core/db.ts'
import { listOpenKeys, type OpenKeyRow } from './queries.ts'

export interface KeyLookup {
  isMaintenance: boolean
  opened: OpenKeyRow | null
}

/** What a key opens at this moment: it is asked at every request, so disabling one takes effect with the next. */
export const createKeyLookup = (db: Db): ((hash: string | null) => Promise<KeyLookup>) =>
  createBatch(async hashes => {
    const { maintenance, opened } = await listOpenKeys(db, [...new Set(hashes.flatMap(hash => hash ?? []))])
    return hash => ({ isMaintenance: maintenance, opened: (hash && opened.get(hash)) || null })
  })
