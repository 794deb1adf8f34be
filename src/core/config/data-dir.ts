import { statSync } from 'node:fs'

/** The mode of a new folder. If Deskbell runs as root, Postgres runs as another user, who must be able to enter the folder but not list it. */
export const dataDirMode = (): number => (process.geteuid?.() === 0 ? 0o711 : 0o700)

/**
 * What to do if every user of the machine can list the folder or write to it, otherwise null. The server does not change the mode
 * itself, because an administrator may have opened the folder on purpose, for instance for backups by another user.
 */
export function describeReaders(dataDir: string): string | null {
  if ((statSync(dataDir).mode & 0o006) === 0) return null
  const mode = dataDirMode().toString(8)
  return `DATA_DIR: every user of this machine may read ${dataDir}, which contains the files of customers; close it: chmod ${mode} ${dataDir}`
}
