import { chmodSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from './core/thrown.ts'

/**
 * The time of the last successful `deskbell backup`. It is in a file, because a restored database should be exactly the one that was
 * backed up. Everybody can read the file, because root may make backups of a server that another user runs.
 */

const fileOf = (dataDir: string): string => join(dataDir, 'last-backup')

export function recordBackupTime(dataDir: string, at = new Date()): void {
  const draft = `${fileOf(dataDir)}.${process.pid}`
  writeFileSync(draft, `${at.toISOString()}\n`)
  // Regardless of the umask.
  chmodSync(draft, 0o644)
  renameSync(draft, fileOf(dataDir))
}

/** Milliseconds since 1970; null if there was no backup. */
export function findBackupTime(dataDir: string): number | null {
  try {
    return Date.parse(readFileSync(fileOf(dataDir), 'utf8').trim()) || null
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}
