import type { Readable } from 'node:stream'

/** Where bytes lie, under keys that we choose. A picture of an object lies beside it, under `thumbOf(key)`. */
export interface Storage {
  /**
   * All of it or, when this rejects, nothing that can be read. With `isGivenAway` nobody else holds the pieces, and their
   * memory may go as soon as they are written.
   */
  write(key: string, content: AsyncIterable<Buffer>, isGivenAway?: boolean): Promise<void>
  /** Null when there is no such object. `end` is the last byte. */
  read(key: string, range?: { start: number; end: number }): Promise<Readable | null>
  /** An object that is not there is removed too; so are its picture and what was begun under its key. */
  remove(key: string): Promise<void>
  /** An address to fetch it from without us, for five minutes; null where there is none. */
  sign: ((key: string, headers: { disposition: string; type: string }) => Promise<string>) | null
}

export const thumbOf = (key: string): string => `${key}.thumb`
