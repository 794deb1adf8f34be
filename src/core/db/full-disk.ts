import type { Config } from '../config/config.ts'
import { measureDisk } from '../disk.ts'
import { ApiError } from '../errors.ts'
import { stringOf } from '../objects.ts'
import { codeOf } from '../thrown.ts'

/** Codes of the operating system, and 53100 of PostgreSQL. */
const codes = ['ENOSPC', 'EDQUOT', 'EFBIG', '53100']

export const isFull = (error: unknown): boolean => codes.includes(codeOf(error))

/** Bytes. Postgres starts a 16 MiB file of its write-ahead log, and removes it again if it does not fit. */
const minFreeBytes = 17 * 2 ** 20

type Place = Pick<Config, 'dataDir' | 'databaseUrl'>

/** Whether something failed because a disk is full. An embedded Postgres that cannot write stops, and cannot say why. */
export function isForFullDisk(error: unknown, { dataDir, databaseUrl }: Place): boolean {
  if (isFull(error)) return true
  if (databaseUrl || stringOf(error, 'code') === undefined) return false
  try {
    return measureDisk(dataDir).free < minFreeBytes
  } catch {
    return false
  }
}

/** If the disk is full, repeats a read without the write that accompanies it, so that stored data can still be read. */
export async function despiteFullDisk<T>(ask: (isNoted: boolean) => Promise<T>): Promise<T> {
  try {
    return await ask(true)
  } catch (error) {
    if (!isFull(error)) throw error
    return ask(false)
  }
}

/** The error for the caller. */
export const storageFull = (code: 'INTERNAL_ERROR' | 'MEDIA_UPLOAD_FAILED'): ApiError =>
  Object.assign(new ApiError(code, { reason: 'storage_full' }), {
    message:
      'The disk of this server is full, and nothing was stored. Ask its administrator to free disk space, then try again',
  })
