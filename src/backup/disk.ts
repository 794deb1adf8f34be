import { existsSync, realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { SetupError } from '../core/config/setup-error.ts'
import { measureDisk } from '../core/disk.ts'

const mebibyte = 2 ** 20

/** The path, or its nearest existing parent folder. */
const existing = (path: string): string => (existsSync(path) ? realpathSync(path) : existing(dirname(path)))

function findMount(path: string): string {
  const above = dirname(path)
  return above === path || statSync(above).dev !== statSync(path).dev ? path : findMount(above)
}

/** A path and the disk that contains it. */
export const describeDiskOf = (path: string): string => `${path}, on the disk at ${findMount(existing(path))}`

/** Checked before anything is written. `needed` is the minimum in bytes. */
export function requireDiskSpace(path: string, needed: number): void {
  const { free } = measureDisk(existing(path))
  if (free >= needed) return
  throw new SetupError(
    `There is not enough space for ${describeDiskOf(path)}: ${Math.floor(free / mebibyte)} MiB are free, and at least ${Math.ceil(needed / mebibyte)} MiB are needed; free disk space, or choose another disk`,
  )
}

export const diskFullError = (path: string): SetupError =>
  new SetupError(
    `There was no space left for ${describeDiskOf(path)}; the incomplete data was deleted. Free disk space, or choose another disk`,
  )
