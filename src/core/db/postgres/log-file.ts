import {
  closeSync,
  existsSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'

/** The log of the embedded Postgres: `postgres.log`, and the previous one as `postgres.log.1`. */

/** Bytes. */
const maxSize = 10_000_000

export const logFileOf = (dataDir: string): string => join(dataDir, 'postgres.log')

const earlierOf = (logFile: string): string => `${logFile}.1`

export const sizeOfLog = (logFile: string): number => statSync(logFile, { throwIfNoEntry: false })?.size ?? 0

/** Rotates the log before a start, while no process writes to it. Returns where the lines of that start will begin. */
export function rotate(logFile: string): number {
  const size = sizeOfLog(logFile)
  if (size < maxSize) return size
  renameSync(logFile, earlierOf(logFile))
  return 0
}

function copyRest(from: number, to: number): void {
  const chunk = Buffer.alloc(2 ** 16)
  for (let read = readSync(from, chunk); read > 0; read = readSync(from, chunk)) writeSync(to, chunk, 0, read)
}

/** Rotates the log while Postgres appends to it. Postgres keeps the file open, so the content is copied and the file truncated. */
export function rotateOpen(logFile: string): void {
  if (sizeOfLog(logFile) < maxSize) return
  const draft = `${earlierOf(logFile)}.new`
  const [from, to] = [openSync(logFile, 'r+'), openSync(draft, 'w', 0o600)]
  try {
    copyRest(from, to)
    renameSync(draft, earlierOf(logFile))
    // Lines written during the copy.
    copyRest(from, to)
    ftruncateSync(from)
  } finally {
    closeSync(from)
    closeSync(to)
    rmSync(draft, { force: true })
  }
}

const read = (file: string): Buffer => (existsSync(file) ? readFileSync(file) : Buffer.alloc(0))

/** What was written since the file had this size, even if it was rotated in the meantime. */
export function readSince(logFile: string, size: number): string {
  const content = read(logFile)
  if (content.length >= size) return content.subarray(size).toString()
  return Buffer.concat([read(earlierOf(logFile)).subarray(size), content]).toString()
}
