import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** Writes one mbox with emails from customers and one with the answers, as mail programs store them. */

export interface ArchiveFacts {
  paths: string[]
  mails: number
  threads: number
  files: number
}

/** The number of emails in each conversation, in turn. */
const lengths = [1, 1, 2, 3, 1, 2, 4, 6]

const words = 'The lamp that I ordered last week arrived with a crack in its shade and does not light up.'

const foreign = [
  {
    charset: 'iso-8859-1',
    encoding: 'quoted-printable',
    text: 'Die Lampe ist besch=E4digt angekommen, mit Gr=FC=DFen.',
  },
  { charset: 'windows-1251', encoding: 'base64', text: 'y+Ds7+Ag7+7x8vPv6OvgIPEg8vDl+ejt7uku' },
  { charset: 'iso-2022-jp', encoding: '7bit', text: '\x1b$B%i%s%W$,2u$l$F$$$^$9!#\x1b(B' },
]

const picture =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const textPart = (text: string): string[] => ['Content-Type: text/plain; charset=utf-8', '', text, '']

const alternatives = (text: string, quote: string): string[] => [
  'Content-Type: multipart/alternative; boundary="alt"',
  '',
  '--alt',
  ...textPart(`${text}\n\n${quote}`),
  '--alt',
  'Content-Type: text/html; charset=utf-8',
  '',
  `<div style="font-family: Arial">${text
    .split('\n')
    .map(line => `<p>${line}</p>`)
    .join('\n')}</div>`,
  '--alt--',
  '',
]

/** About 30 KB in base64, different in each email. */
const attachment = (id: string): string[] => [
  'Content-Type: application/octet-stream; name="log.bin"',
  'Content-Disposition: attachment; filename="log.bin"',
  'Content-Transfer-Encoding: base64',
  '',
  `${Buffer.from(id.padEnd(57, '.')).toString('base64')}\n`.repeat(400),
]

const inlinePicture = [
  'Content-Type: image/png; name="dot.png"',
  'Content-ID: <dot@example.org>',
  'Content-Disposition: inline; filename="dot.png"',
  'Content-Transfer-Encoding: base64',
  '',
  picture,
  '',
]

/** Every 20th email has a file and every 50th a picture; every 7th uses another charset. */
function writeBody(number: number, id: string, quote: string): { lines: string[]; files: number } {
  const text = Array.from({ length: 6 }, (_, at) => `${at + 1}. ${words.repeat(3)}`).join('\n')
  const files = [
    ...(number % 20 === 7 ? [attachment(id)] : []),
    ...(number % 50 === 9 ? [inlinePicture] : []),
  ]
  const own = foreign[number % 21 === 0 ? 0 : number % 21 === 7 ? 1 : 2]!
  if (files.length === 0 && number % 7 === 0)
    return {
      lines: [
        `Content-Type: text/plain; charset=${own.charset}`,
        `Content-Transfer-Encoding: ${own.encoding}`,
        '',
        own.text,
        '',
      ],
      files: 0,
    }
  const main = number % 5 < 3 ? alternatives(text, quote) : textPart(`${text}\n\n${quote}`)
  if (files.length === 0) return { lines: main, files: 0 }
  const parts = [main, ...files].flatMap(part => ['--mix', ...part])
  return {
    lines: ['Content-Type: multipart/mixed; boundary="mix"', '', ...parts, '--mix--', ''],
    files: files.length,
  }
}

const first = Date.UTC(2024, 0)
const minuteMs = 60_000

function writeMail(number: number, thread: number, at: number, lines: string[]): string {
  const customer = `c${thread}@example.org`
  const isAnswer = at % 2 === 1
  const [from, to] = isAnswer ? ['support@acme.example', customer] : [customer, 'support@acme.example']
  const date = new Date(first + (thread + at * 40) * minuteMs)
  const head = [
    `From ${from} ${date.toUTCString().slice(0, 3)} Jan  1 00:00:00 2024`,
    `From: ${isAnswer ? 'Acme Support' : `Customer ${thread}`} <${from}>`,
    `To: <${to}>`,
    `Subject: ${at > 0 ? 'Re: ' : ''}A broken lamp ${thread}`,
    `Message-ID: <${thread}.${at}@example.org>`,
    ...(at > 0 ? [`In-Reply-To: <${thread}.${at - 1}@example.org>`] : []),
    `Date: ${date.toUTCString()}`,
    `X-Number: ${number}`,
    'MIME-Version: 1.0',
  ]
  return [...head, ...lines, ''].join('\n')
}

export function writeArchive(folder: string, mails: number): ArchiveFacts {
  const paths = ['inbox.mbox', 'sent.mbox'].map(name => join(folder, name))
  const outputs = paths.map(path => openSync(path, 'w'))
  let [number, thread, files] = [0, 0, 0]
  for (; number < mails; thread++) {
    const length = Math.min(lengths[thread % lengths.length]!, mails - number)
    for (let at = 0; at < length; at++, number++) {
      const quote = at > 0 ? `On 1 Jan 2024 somebody wrote:\n> 1. ${words.repeat(3)}` : ''
      const body = writeBody(number, `${thread}.${at}`, quote)
      files += body.files
      writeSync(outputs[at % 2]!, writeMail(number, thread, at, body.lines), null, 'latin1')
    }
  }
  for (const output of outputs) closeSync(output)
  return { paths, mails, threads: thread, files }
}
