import type { Readable } from 'node:stream'

/** Stores objects under keys that we choose. The thumbnail of an object has the key `thumbOf(key)`. */
export interface Storage {
  /**
   * Writes the whole object; if this rejects, nothing can be read. With `isGivenAway`, only this call uses the buffers, and their
   * memory may be freed as soon as they are written.
   */
  write(key: string, content: AsyncIterable<Buffer>, isGivenAway?: boolean): Promise<void>
  /** Null if there is no such object. `end` is the last byte. */
  read(key: string, range?: { start: number; end: number }): Promise<Readable | null>
  /** Removes an object with its thumbnail and unfinished uploads. Succeeds if the object does not exist. */
  remove(key: string): Promise<void>
  /** A URL for direct download, valid for five minutes; null if the storage has none. */
  sign: ((key: string, headers: { disposition: string; type: string }) => Promise<string>) | null
}

export const thumbOf = (key: string): string => `${key}.thumb`
