import { createBatch } from '../core/db/batch.ts'
import type { Db } from '../core/db/db.ts'
import { type ActiveKeyRow, listActiveKeys } from './queries.ts'

export interface KeyLookup {
  isMaintenance: boolean
  found: ActiveKeyRow | null
}

/** Looks up the project of a key on every request, so that disabling a key takes effect with the next one. */
export const createKeyLookup = (db: Db): ((hash: string | null) => Promise<KeyLookup>) =>
  createBatch(async hashes => {
    const { maintenance, found } = await listActiveKeys(db, [...new Set(hashes.flatMap(hash => hash ?? []))])
    return hash => ({ isMaintenance: maintenance, found: (hash && found.get(hash)) || null })
  })
