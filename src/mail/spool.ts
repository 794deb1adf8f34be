import { createHash } from 'node:crypto'
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { errorOf } from '../core/thrown.ts'

/** Stores the decoded bytes of a part: the beginning in memory, and all of it in a file if needed. Writes are synchronous, because this runs in a worker. */

export interface Spooled {
  /** The first bytes, up to the limit. */
  head: Buffer
  size: number
  sha256: string
  /** Null if there is no file. */
  path: string | null
}

/** A failure of the system, such as a full disk, rather than of the email. */
export class SpoolError extends Error {}

const onDisk = <Result>(work: () => Result): Result => {
  try {
    return work()
  } catch (error) {
    throw new SpoolError(errorOf(error).message, { cause: error })
  }
}

export class Spool {
  size = 0
  readonly #path: string
  readonly #limit: number
  readonly #hash = createHash('sha256')
  #head: Buffer[] = []
  #headSize = 0
  #file: number | null = null

  /** `always` creates a file in any case; otherwise one is created for more than `limit` bytes. */
  constructor(path: string, limit: number, always: boolean) {
    this.#path = path
    this.#limit = limit
    if (always) this.#open()
  }

  #open(): void {
    onDisk(() => mkdirSync(dirname(this.#path), { recursive: true }))
    this.#file = onDisk(() => openSync(this.#path, 'wx', 0o600))
    for (const chunk of this.#head) this.#append(chunk)
  }

  #append(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; ) at += onDisk(() => writeSync(this.#file!, chunk, at))
  }

  write(chunk: Buffer): void {
    this.size += chunk.length
    this.#hash.update(chunk)
    if (this.#file === null && this.size > this.#limit) this.#open()
    if (this.#file !== null) this.#append(chunk)
    const kept = chunk.subarray(0, this.#limit - this.#headSize)
    if (kept.length === 0) return
    // The chunk may be a view of a much larger source buffer, so it is copied.
    this.#head.push(Buffer.from(kept))
    this.#headSize += kept.length
  }

  end(): Spooled {
    if (this.#file !== null) closeSync(this.#file)
    const path = this.#file === null ? null : this.#path
    this.#file = null
    return { head: Buffer.concat(this.#head), size: this.size, sha256: this.#hash.digest('hex'), path }
  }
}

/** Writes bytes to a file. */
export function spoolBytes(path: string, bytes: Buffer): Spooled {
  const spool = new Spool(path, 0, true)
  spool.write(bytes)
  return spool.end()
}
