import type { Db } from '../core/db.ts'
import { type OpenedRow, openKeys } from './queries.ts'

export interface Opened {
  isMaintenance: boolean
  opened: OpenedRow | null
}

interface Waiting {
  hash: string | null
  resolve(opened: Opened): void
  reject(error: unknown): void
}

/**
 * A key is looked up at every request, so disabling one takes effect with the next. Requests that arrive while a
 * look-up runs share the one after it: a look-up that began before a request may not answer it.
 */
export function createLookup(db: Db): (hash: string | null) => Promise<Opened> {
  let waiting: Waiting[] = []
  let isRunning = false

  async function run(): Promise<void> {
    isRunning = true
    while (waiting.length) {
      const batch = waiting
      waiting = []
      try {
        await answer(db, batch)
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    isRunning = false
  }

  return hash =>
    new Promise((resolve, reject) => {
      waiting.push({ hash, resolve, reject })
      if (!isRunning) {
        isRunning = true
        setImmediate(run)
      }
    })
}

async function answer(db: Db, batch: Waiting[]): Promise<void> {
  const hashes = new Set(batch.flatMap(({ hash }) => hash ?? []))
  const { maintenance, opened } = await openKeys(db, [...hashes])
  for (const { hash, resolve } of batch) {
    resolve({ isMaintenance: maintenance, opened: (hash && opened.get(hash)) || null })
  }
}
