import { existsSync, lstatSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { codeOf } from '../setup-error.ts'

export const socketPrefix = 'deskbell-'

/** In each folder: the number of the Deskbell that goes on connecting there, also while its Postgres is down. */
export const ownerFile = 'deskbell.pid'

/** A socket's path is limited to 107 bytes and DATA_DIR may be deep, so it lives in a short private folder here. */
export const socketParent = (): string => (existsSync('/tmp') ? '/tmp' : tmpdir())

export const isSocketDirName = (path: string): boolean =>
  dirname(path) === socketParent() && /^deskbell-[A-Za-z0-9]{6}$/.test(basename(path))

/** A real folder that only the user can enter whom the cluster belongs to: Postgres runs as no other. */
export function isPrivate(path: string, cluster: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (!found?.isDirectory()) return false
  return found.uid === statSync(cluster).uid && (found.mode & 0o777) === 0o700
}

export const claim = (path: string): void => writeFileSync(join(path, ownerFile), String(process.pid))

/** Takes away what Deskbell and Postgres put there and no more: the path was read from a file that anyone may have made. */
export function removeSocketDir(path: string, cluster: string): void {
  try {
    if (!isSocketDirName(path) || !isPrivate(path, cluster) || isAlive(readOwner(path))) return
    for (const name of ['.s.PGSQL.5432', '.s.PGSQL.5432.lock', ownerFile])
      rmSync(join(path, name), { force: true })
    rmdirSync(path)
  } catch {
    // One that cannot be removed, such as one that holds something else, is in nobody's way.
  }
}

function readOwner(path: string): number {
  try {
    return Number(readFileSync(join(path, ownerFile), 'utf8'))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 0
    throw error
  }
}

/** Whether another process than this one has the number. */
export function isAlive(pid: number): boolean {
  if (!pid || pid === process.pid) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}
