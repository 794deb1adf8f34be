import { closeSync, createReadStream, openSync, unlinkSync, writeSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  describeMail,
  listCuts,
  toContent,
  withInvitation,
} from '../../channels/email/incoming/mail-content.ts'
import { type FileToImport, importFile } from '../../imports/imports.ts'
import type { ImportedMessage } from '../../imports/schema.ts'
import { classify, type MailClass } from '../../mail/classify.ts'
import type { Mail, MailFile } from '../../mail/mail.ts'
import type { Earlier, Folded } from '../../mail/quotes.ts'
import type { MailReader } from '../../mail/read.ts'
import { findWriter, type Writer } from '../../mail/sender.ts'
import type { ImportContext } from '../importer.ts'
import { repeatWhileBusy } from '../repeat-while-busy.ts'
import type { IndexedMail } from './index-mail.ts'
import type { OwnAddresses } from './own-addresses.ts'
import { readRawMail } from './raw-mail.ts'

/** Reads an archived email like an incoming one, and stores its files. */

export interface MailContext extends ImportContext {
  reader: MailReader
  /** For temporary files. */
  folder: string
  own: OwnAddresses
}

/** A message without its author, who depends on the other emails of the conversation. */
export interface ReadMessage {
  mail: Mail
  writer: Writer
  message: Omit<ImportedMessage, 'author'>
}

const maxFiles = 100
const maxHeaders = 1_000
const threadIndexLength = 44

let written = 0

/** Returns a file that contains only this email. `remove` deletes it, unless it belongs to the archive. */
function openMail(indexed: IndexedMail, folder: string): { path: string; remove(): void } {
  if (indexed.isWholeFile) return { path: indexed.path, remove: () => undefined }
  const path = join(folder, `${++written}.eml`)
  const file = openSync(path, 'wx', 0o600)
  try {
    for (const chunk of readRawMail(indexed))
      for (let at = 0; at < chunk.length; ) at += writeSync(file, chunk, at)
  } finally {
    closeSync(file)
  }
  return { path, remove: () => unlinkSync(path) }
}

const classOf = (mail: Mail, { addresses, formSenders }: OwnAddresses): MailClass => {
  const no = () => false
  // In an archive, an email that the project sent is not a loop, so no addresses are given as the receiving ones.
  const found = classify(mail, {
    ...{ addresses: [], allAddresses: addresses, formSenders },
    ...{ isOwnId: no, isOwnReturnPath: no },
  })
  return found.class === 'person' || found.class === 'auto_reply' ? found.class : 'automated'
}

async function foldMail({ reader, signal }: MailContext, mail: Mail, earlier: Earlier): Promise<Folded> {
  const text = withInvitation(mail)
  if (earlier.texts.length === 0)
    return { visibleText: text, quotedText: '', visibleHtml: mail.html, quotedHtml: null }
  return reader.fold({ text, html: mail.html }, earlier, signal)
}

type StoredFile = Pick<MailFile, 'path' | 'filename' | 'contentType'>

/** Returns the id of the stored file. A dry run stores nothing. */
async function storeFile(
  context: MailContext,
  { path, filename, contentType }: StoredFile,
  rest: Pick<FileToImport, 'source_id' | 'created_at'>,
): Promise<{ id: string }> {
  const { projectId, source, dryRun } = context
  if (dryRun) return { id: '' }
  const file = { projectId, source, filename, content_type: contentType, ...rest }
  return { id: await repeatWhileBusy(context, () => importFile(context, file, () => createReadStream(path))) }
}

async function storeFiles(context: MailContext, indexed: IndexedMail, files: StoredFile[]) {
  const created_at = timeOf(indexed)
  const stored: { id: string }[] = []
  for (const [at, file] of files.entries()) {
    const source_id = `${at} ${indexed.sourceId}`
    stored.push(await storeFile(context, file, { source_id, created_at }))
  }
  return stored
}

export const timeOf = ({ at }: IndexedMail): string => new Date(at).toISOString()

const unknown = { dmarc: 'none', spf: 'none', dkim: 'none' } as const

/** The files of the email, and a file with the whole text if this is too long for a message. */
async function listFiles({ folder }: MailContext, { files }: Mail, folded: Folded): Promise<StoredFile[]> {
  const kept = files.slice(0, maxFiles - 1)
  if (!toContent(folded, []).rest) return kept
  const path = join(folder, `${++written}.txt`)
  await writeFile(path, folded.visibleText)
  return [...kept, { path, filename: 'message.txt', contentType: 'text/plain' }]
}

async function describeMessage(
  context: MailContext,
  { indexed, mail, writer }: { indexed: IndexedMail; mail: Mail; writer: Writer },
  folded: Folded,
): Promise<Omit<ImportedMessage, 'author'>> {
  const media = await storeFiles(context, indexed, await listFiles(context, mail, folded))
  const content = toContent(folded, media)
  const { headers } = mail
  const {
    message_id,
    mailbox_id: _,
    related_ticket_id: __,
    has_raw: ___,
    ...email
  } = describeMail(
    mail,
    {
      ...{
        class: classOf(mail, context.own),
        reason: 'imported',
        evidence: null,
        related: null,
        warnings: [],
      },
      ...{ authentication: unknown, isSpam: false, answerTo: writer.answerTo },
    },
    {
      mailboxId: '',
      inline: content.html === null ? [] : media.filter((_, at) => mail.files[at]?.isInline),
      isFolded: folded.quotedText !== '',
      cuts: [...listCuts(content, folded, false), ...(mail.files.length < maxFiles ? [] : ['files'])],
    },
  )
  const root = headers.threadIndex?.slice(0, threadIndexLength) ?? ''
  return {
    source_id: indexed.sourceId,
    content: content.content,
    content_html: content.html,
    media_ids: context.dryRun ? [] : media.map(({ id }) => id),
    email: {
      ...email,
      message_id: message_id && message_id.length <= 1_000 ? message_id : null,
      mail_ids: root.length === threadIndexLength ? [root] : [],
      headers: headers.list.slice(0, maxHeaders),
      quoted_text: folded.quotedText,
      quoted_html: folded.quotedHtml,
    },
    created_at: timeOf(indexed),
  }
}

export async function readMessage(
  context: MailContext,
  indexed: IndexedMail,
  earlier: Earlier,
): Promise<ReadMessage> {
  const { own, reader, folder, signal } = context
  const { path, remove } = openMail(indexed, folder)
  try {
    const mail = await reader.read(path, folder, signal)
    const writer = findWriter(mail, { ownAddresses: own.addresses, formSenders: own.formSenders })
    const folded = await foldMail(context, mail, earlier)
    const message = await describeMessage(context, { indexed, mail, writer }, folded)
    const [file] = mail.files
    if (file) await rm(dirname(file.path), { recursive: true, force: true })
    return { mail, writer, message }
  } finally {
    remove()
  }
}
