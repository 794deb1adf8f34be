import { createBatch } from '../core/batch.ts'
import type { Db } from '../core/db.ts'
import { listOpenKeys, type OpenKeyRow } from './queries.ts'

export interface KeyLookup {
  isMaintenance: boolean
  opened: OpenKeyRow | null
}

/** Looks up the project of a key on every request, so that disabling a key takes effect with the next one. */
export const createKeyLookup = (db: Db): ((hash: string | null) => Promise<KeyLookup>) =>
  createBatch(async hashes => {
    const { maintenance, opened } = await listOpenKeys(db, [...new Set(hashes.flatMap(hash => hash ?? []))])
    return hash => ({ isMaintenance: maintenance, opened: (hash && opened.get(hash)) || null })
  })
