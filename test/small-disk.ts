import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Mounts a disk with this many KiB, or returns null if this user may not mount one. */
export function mountDisk(context: { after(run: () => void): void }, kibibytes: number): string | null {
  const disk = mkdtempSync(join(tmpdir(), 'deskbell-disk-'))
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${kibibytes}k`, 'tmpfs', disk])
  context.after(() => {
    if (status === 0) spawnSync('umount', ['-l', disk])
    rmdirSync(disk)
  })
  return status === 0 ? disk : null
}
