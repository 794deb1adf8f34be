import { createWriteStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Mail } from '../../../mail/mail.ts'
import type { MailReader } from '../../../mail/read.ts'
import type { Storages } from '../../../media/media.ts'
import type { ClaimedMail } from './incoming-queries.ts'
import { deleteMailFolder, makeMailFolder } from './mail-folders.ts'
import { noteParsed } from './mail-metrics.ts'

/** The email in its temporary folder. */
export const pathOf = (folder: string): string => join(folder, 'mail.eml')

/** Copies the stored email to a temporary folder and reads it there. The folder is deleted when `work` ends. */
export async function withMail<T>(
  { storages, reader, signal }: { storages: Storages; reader: MailReader; signal: AbortSignal },
  { storage_key, bucket_id }: Pick<ClaimedMail, 'storage_key' | 'bucket_id'>,
  work: (mail: Mail, folder: string) => Promise<T>,
): Promise<T> {
  const folder = await makeMailFolder()
  try {
    const path = pathOf(folder)
    const place = await storages.find(bucket_id)
    const content = await place?.storage.read(storage_key)
    if (!content) throw new Error('The stored email is missing')
    await pipeline(content, createWriteStream(path))
    const begun = performance.now()
    const mail = await reader.read(path, folder, signal)
    noteParsed((performance.now() - begun) / 1_000)
    return await work(mail, folder)
  } finally {
    await deleteMailFolder(folder)
  }
}

/** Writes a text to a file in the email's temporary folder. */
export async function writeText(folder: string, name: string, text: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, text)
  return path
}
