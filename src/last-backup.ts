import { chmodSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from './core/setup-error.ts'

/**
 * When `deskbell backup` last ended well. In a file, because a restored database is to be exactly the one that was
 * backed up; readable by all, because root may make backups of what another user runs.
 */

const fileOf = (dataDir: string): string => join(dataDir, 'last-backup')

export function recordBackupTime(dataDir: string, at = new Date()): void {
  const draft = `${fileOf(dataDir)}.${process.pid}`
  writeFileSync(draft, `${at.toISOString()}\n`)
  // Whatever the umask is.
  chmodSync(draft, 0o644)
  renameSync(draft, fileOf(dataDir))
}

/** Milliseconds since 1970; null where none was made. */
export function findBackupTime(dataDir: string): number | null {
  try {
    return Date.parse(readFileSync(fileOf(dataDir), 'utf8').trim()) || null
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}
