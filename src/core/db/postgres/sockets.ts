import { existsSync, lstatSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { codeOf } from '../../thrown.ts'

export const socketPrefix = 'deskbell-'

/** A file in each folder with the process id of the Deskbell that connects there, even while its Postgres is down. */
export const ownerFile = 'deskbell.pid'

/** A socket path is limited to 107 bytes and DATA_DIR may be long, so the socket is in a private folder with a short path here. */
export const socketParent = (): string => (existsSync('/tmp') ? '/tmp' : tmpdir())

export const isSocketDirName = (path: string): boolean =>
  dirname(path) === socketParent() && /^deskbell-[A-Za-z0-9]{6}$/.test(basename(path))

/** Whether it is a real folder that only the owner of the cluster can enter. Postgres runs as that user. */
export function isPrivate(path: string, cluster: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (!found?.isDirectory()) return false
  return found.uid === statSync(cluster).uid && (found.mode & 0o777) === 0o700
}

export const claim = (path: string): void => writeFileSync(join(path, ownerFile), String(process.pid))

/** Removes only files of Deskbell and Postgres, because any user may have written the file that contained the path. */
export function removeSocketDir(path: string, cluster: string): void {
  try {
    if (!isSocketDirName(path) || !isPrivate(path, cluster) || isAlive(readOwner(path))) return
    for (const name of ['.s.PGSQL.5432', '.s.PGSQL.5432.lock', ownerFile])
      rmSync(join(path, name), { force: true })
    rmdirSync(path)
  } catch {
    // A folder that cannot be removed, for instance because it contains something else, does no harm.
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

/** Whether a process other than this one has this id. */
export function isAlive(pid: number): boolean {
  if (!pid || pid === process.pid) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}
