import { chownSync, linkSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Composes the emails of this bench, and writes them into the Maildir of a user. */

let count = 0

const sentence = 'The lamp that I ordered last week arrived with a crack in its shade. '

/** About 10 KB with a text and an HTML part. Each email has its own sender, because many tickets of one sender are joined. */
export function makeUsualMail(subject = 'A broken lamp'): string {
  const number = `${process.pid}.${Date.now()}.${count++}`
  const paragraphs = Array.from({ length: 5 }, (_, at) => `${at + 1}. ${sentence.repeat(8)}`)
  const html = paragraphs.map(text => `<p style="margin: 0 0 12px; font-family: Arial">${text}</p>`)
  return [
    `From: Customer ${number} <c${number}@example.org>`,
    'To: support@example.com',
    `Subject: ${subject} ${number}`,
    `Message-ID: <${number}@example.org>`,
    `Date: ${new Date().toUTCString()}`,
    'MIME-Version: 1.0',
    'Content-Type: multipart/alternative; boundary="bench"',
    '',
    ...['--bench', 'Content-Type: text/plain; charset=utf-8', '', ...paragraphs],
    ...['--bench', 'Content-Type: text/html; charset=utf-8', '', ...html, ...html],
    '--bench--',
    '',
  ].join('\r\n')
}

/** An email with one file that makes it this large in total. */
export function makeLargeMail(bytes: number): string {
  const line = `${Buffer.alloc(57, count).toString('base64')}\r\n`
  const head = makeUsualMail('A large file').replace('multipart/alternative', 'multipart/mixed')
  const part = [
    '--bench',
    'Content-Type: application/octet-stream; name=large.bin',
    'Content-Transfer-Encoding: base64',
    ...['Content-Disposition: attachment; filename=large.bin', '', ''],
  ].join('\r\n')
  const [before, after] = [head.slice(0, head.lastIndexOf('--bench--')), '--bench--\r\n']
  return `${before}${part}${line.repeat(Math.ceil(bytes / line.length))}${after}`
}

/** Creates a Maildir whose owner is that of the folder above. */
function makeMaildir(folder: string): { uid: number; gid: number } {
  const owner = statSync(dirname(folder))
  for (const part of ['', 'cur', 'new', 'tmp']) {
    mkdirSync(join(folder, part), { recursive: true })
    chownSync(join(folder, part), owner.uid, owner.gid)
  }
  return owner
}

/** Puts emails in the folder as if they had been delivered. */
export function putMails(folder: string, mails: Iterable<string>): void {
  const { uid, gid } = makeMaildir(folder)
  for (const mail of mails) {
    const path = join(folder, 'new', `${Math.floor(Date.now() / 1_000)}.M${count++}P${process.pid}.bench`)
    writeFileSync(path, mail)
    chownSync(path, uid, gid)
  }
}

/** A file system may limit the number of links to a file; ext4 allows 65,000. */
const maxLinks = 50_000

/** Fills the folder with read emails, which are hard links to a few files. Dovecot treats each link as a separate email. */
export function fillMaildir(folder: string, total: number): void {
  const { uid, gid } = makeMaildir(folder)
  const text = makeUsualMail('One of many').slice(0, 600)
  let first = ''
  for (let at = 0; at < total; at++) {
    const path = join(folder, 'cur', `${1_600_000_000 + at}.M1P1.bench,S=${text.length}:2,S`)
    if (at % maxLinks) {
      linkSync(first, path)
      continue
    }
    first = path
    writeFileSync(path, text)
    chownSync(path, uid, gid)
  }
}
