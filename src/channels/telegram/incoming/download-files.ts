import type { Readable } from 'node:stream'
import type { Db } from '../../../core/db/db.ts'
import { ApiError } from '../../../core/errors.ts'
import type { Log } from '../../../core/telemetry/log.ts'
import { maxFileBytes, type NewMedia, type Storages, storeStream } from '../../../media/media.ts'
import type { BotApi } from '../bot-api/client.ts'
import { BotApiRefusal } from '../bot-api/errors.ts'
import type { TelegramFile } from './message-files.ts'

/** Downloads the files of messages. */

export interface DownloadDeps {
  db: Db
  log: Log
  storages: Storages
  /** A smaller limit for tests. */
  maxFileBytes?: number
}

export interface DownloadedFiles {
  media: NewMedia[]
  /** Lines about files that cannot be downloaded. */
  missing: string[]
}

/** Telegram's own server lets bots download files of up to 20 MB. */
const maxTelegramBytes = 20 * 1024 * 1024

const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`

const describeMissing = ({ name, size }: TelegramFile): string =>
  size === null ? `📎 ${name}` : `📎 ${name} (${megabytes(size)})`

interface Source {
  api: BotApi
  projectId: string
  hasOwnServer: boolean
  /** Explains that a file is only on the server's disk. */
  onServerText: string
  stopping: AbortSignal
}

/**
 * A server with --local returns "the absolute local path as a value of the file_path field". Deskbell never opens this path on its own
 * disk. Some servers have a proxy that serves these files at the usual URL.
 */
const isLocalPath = (path: string): boolean => /^(?:[/\\]|[a-z]:)/i.test(path)

class OnServer extends Error {}

async function open({ api, stopping }: Source, file: TelegramFile): Promise<Readable | null> {
  const { file_path } = await api.call('getFile', { file_id: file.file_id }, { signal: stopping })
  if (!file_path) return null
  try {
    return await api.download(file_path, stopping)
  } catch (error) {
    if (error instanceof BotApiRefusal && isLocalPath(file_path)) throw new OnServer()
    throw error
  }
}

const isTooLarge = (error: unknown): boolean => error instanceof ApiError && error.code === 'MEDIA_TOO_LARGE'

/** Telegram answers `wrong file_id or the file is temporarily unavailable` in both cases, so this refusal is not final. */
const isRefused = (error: unknown): boolean =>
  error instanceof BotApiRefusal &&
  !error.isFromProxy &&
  [400, 404].includes(error.code) &&
  !error.message.includes('temporarily unavailable')

/** Returns a line of text if the server refuses the file or it is too large. Rejects if the server cannot be reached, so the update is retried. */
async function downloadOne(
  { db, log, storages, maxFileBytes: maxBytes = maxFileBytes }: DownloadDeps,
  source: Source,
  file: TelegramFile,
): Promise<NewMedia | string> {
  const { projectId, hasOwnServer, onServerText } = source
  const line = describeMissing(file)
  if ((file.size ?? 0) > (hasOwnServer ? maxBytes : maxTelegramBytes)) return line
  try {
    const content = await open(source, file)
    if (!content) return line
    return await storeStream({ storages, log }, { db, projectId }, content, { filename: file.name, maxBytes })
  } catch (error) {
    if (error instanceof OnServer) return `${line}: ${onServerText}`
    if (isRefused(error) || isTooLarge(error)) return line
    throw error
  }
}

/** Files that cannot be downloaded are named in the text. `isLast`: this is the last attempt, so missing files do not hold back the message. */
export async function downloadFiles(
  deps: DownloadDeps,
  source: Source,
  files: TelegramFile[],
  isLast: boolean,
): Promise<DownloadedFiles> {
  const found: DownloadedFiles = { media: [], missing: [] }
  for (const file of files) {
    const media = await downloadOne(deps, source, file).catch((error: unknown) => {
      if (!isLast || source.stopping.aborted) throw error
      deps.log.warn({ err: error }, 'Could not download a file from Telegram')
      return describeMissing(file)
    })
    if (typeof media === 'string') found.missing.push(media)
    else found.media.push(media)
  }
  return found
}
