import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** A separate file system in memory, small enough to fill. */
export interface Disk {
  folder: string
  fill(): void
  empty(): void
  close(): void
}

/** Without root rights, returns a normal folder, which is never full. */
export function mountDisk(folder: string, megabytes: number): Disk | null {
  mkdirSync(folder, { recursive: true })
  if (process.getuid!() !== 0) return null
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', folder])
  const filler = join(folder, 'filler')
  return {
    folder,
    fill() {
      const file = openSync(filler, 'w')
      try {
        for (let size = 1 << 20; size >= 4096; size >>= 4) fillWith(file, Buffer.alloc(size, 1))
      } finally {
        closeSync(file)
      }
    },
    empty: () => rmSync(filler, { force: true }),
    close: () => void execFileSync('umount', ['--lazy', folder]),
  }
}

function fillWith(file: number, piece: Buffer): void {
  try {
    while (writeSync(file, piece) === piece.length);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
}
