import { readFileSync } from 'node:fs'
import { readAttempt as readProperly } from '../../src/mail/readers.ts'
import type { ReadAttempt } from '../../src/mail/worker.ts'

/** A worker module for tests that fails in the way given by the email's X-Poison header. */

const held: unknown[] = []

const poisons: Record<string, () => void> = {
  throws: () => {
    throw new TypeError('Cannot read properties of undefined')
  },
  'throws later': () => {
    setImmediate(() => {
      throw new Error('Uncaught')
    })
  },
  // Blocks the process without using the processor, which tests share.
  hangs: () => {
    // Tests read it in /proc.
    process.title = 'hangs'
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  },
  'eats memory': () => {
    while (true) held.push({ size: [held.length] })
  },
  'eats buffers': () => {
    while (true) held.push(Buffer.alloc(1024 * 1024, 1))
  },
  exits: () => process.exit(7),
  recurses: () => {
    const recurse = (depth: number): number => 1 + recurse(depth + 1)
    recurse(0)
  },
  'has a full disk': () => {
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  },
}

export const readAttempt: ReadAttempt = async (path, folder, attempt) => {
  const [, poison, only] =
    /^X-Poison: ([\w ]+?)(?:; only (.+?))?\r?$/m.exec(readFileSync(path, 'latin1')) ?? []
  if (poison && (!only || only.split(',').includes(attempt))) {
    poisons[poison]!()
    await new Promise(() => undefined)
  }
  return readProperly(path, folder, attempt)
}
