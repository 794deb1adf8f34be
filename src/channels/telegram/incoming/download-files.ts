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
}

const isTooLarge = (error: unknown): boolean => error instanceof ApiError && error.code === 'MEDIA_TOO_LARGE'

/** Null if the server refuses the file, or it is too large. Rejects if it cannot be reached, so that the update is tried again. */
async function downloadOne(
  { db, log, storages, maxFileBytes: maxBytes = maxFileBytes }: DownloadDeps,
  { api, projectId, hasOwnServer }: Source,
  file: TelegramFile,
): Promise<NewMedia | null> {
  if ((file.size ?? 0) > (hasOwnServer ? maxBytes : maxTelegramBytes)) return null
  try {
    const { file_path } = await api.call('getFile', { file_id: file.file_id })
    if (!file_path) return null
    const content = await api.download(file_path)
    return await storeStream({ storages, log }, { db, projectId }, content, { filename: file.name, maxBytes })
  } catch (error) {
    if (isTooLarge(error)) return null
    if (error instanceof BotApiRefusal && [400, 404].includes(error.code)) return null
    throw error
  }
}

/** Files that cannot be downloaded are named in the text. `isLast`: the last attempt, after which the text is shown without the files. */
export async function downloadFiles(
  deps: DownloadDeps,
  source: Source,
  files: TelegramFile[],
  isLast: boolean,
): Promise<DownloadedFiles> {
  const found: DownloadedFiles = { media: [], missing: [] }
  for (const file of files) {
    const media = await downloadOne(deps, source, file).catch((error: unknown) => {
      if (!isLast) throw error
      deps.log.warn({ err: error }, 'Could not download a file from Telegram')
      return null
    })
    if (media) found.media.push(media)
    else found.missing.push(describeMissing(file))
  }
  return found
}
