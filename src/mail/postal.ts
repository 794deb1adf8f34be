import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import PostalMime, { type Attachment, type Email } from 'postal-mime'
import { cleanTexts } from './clean.ts'
import { contentTypeOf, safeFilename } from './filename.ts'
import { fileFinder, markInline } from './files.ts'
import { textOfHtml } from './html-text.ts'
import { mailLimits } from './limits.ts'
import type { Mail, MailFile } from './mail.ts'
import { sanitizeMail } from './sanitize.ts'
import { readSourceHead } from './source.ts'
import { spoolBytes } from './spool.ts'

/** The second reader, which uses postal-mime. It loads the whole email into memory and therefore rejects large ones. */

const maxBytes = 64 * 1024 * 1024

function storeAttachment(attachment: Attachment, path: string): MailFile {
  const { size, sha256 } = spoolBytes(path, Buffer.from(attachment.content as ArrayBuffer))
  return {
    filename: safeFilename(attachment.filename, attachment.mimeType),
    contentType: contentTypeOf(attachment.mimeType.toLowerCase(), attachment.filename),
    size,
    sha256,
    path,
    contentId: attachment.contentId?.replaceAll(/[<>\s]/g, '') || null,
    isInline: false,
  }
}

function bodyOf({ html, text }: Email, files: MailFile[]) {
  const parts = files.map(file => ({ contentId: file.contentId, location: null }))
  const shown = html ? sanitizeMail(html.slice(0, mailLimits.textBytes), fileFinder(parts, files)) : null
  markInline(shown, files)
  const plain = (text ?? (shown ? textOfHtml(shown) : '')).replaceAll(/\r\n?/g, '\n').trimEnd()
  return { html: shown, text: plain, charset: shown || plain ? 'utf-8' : null }
}

function listCuts({ attachments, html }: Email): string[] {
  const cuts = [
    attachments.length > mailLimits.files && 'files',
    (html?.length ?? 0) > mailLimits.textBytes && 'html',
  ]
  return cuts.filter(cut => cut !== false)
}

/** Parses an email and writes its files to `folder`. Rejects if the email cannot be parsed, and with SpoolError if the disk fails. */
export async function parseByPostalMime(path: string, folder: string): Promise<Mail> {
  if (statSync(path).size > maxBytes) throw new Error('The email is too large for this reader.')
  const { headers, truncated } = readSourceHead(path)
  const limits = { maxNestingDepth: mailLimits.depth, maxHeadersSize: 8 * 1024 * 1024 }
  const email = await PostalMime.parse(readFileSync(path), { ...limits, attachmentEncoding: 'arraybuffer' })
  const kept = email.attachments.slice(0, mailLimits.files)
  const files = kept.map((attachment, index) => storeAttachment(attachment, join(folder, `${index}`)))
  return cleanTexts<Mail>({
    headers,
    ...bodyOf(email, files),
    files,
    reports: [],
    invitation: null,
    encrypted: null,
    signature: null,
    attached: null,
    reader: 'postal-mime',
    truncated: [...truncated, ...listCuts(email)],
  })
}
