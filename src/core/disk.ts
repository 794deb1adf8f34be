import { statfsSync } from 'node:fs'

/** Free bytes and inodes for users other than root. File systems that allocate inodes on demand report 0 of 0. */
export function measureDisk(folder: string) {
  const { bavail, blocks, bsize, files, ffree } = statfsSync(folder)
  return { free: bavail * bsize, size: blocks * bsize, entries: files ? ffree : Number.POSITIVE_INFINITY }
}
