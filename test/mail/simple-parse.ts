import { readFileSync } from 'node:fs'
import { type AddressObject, type HeaderValue, type ParsedMail, simpleParser } from 'mailparser'
import sanitizeHtml from 'sanitize-html'
import type { Mail, MailAddress, MailHeaders, MailReport } from '../../src/mail/mail.ts'

/** A throw-away reader for tests of the rules about mails, until the reader of the product exists. */

const lower = (address: string): string => {
  const at = address.lastIndexOf('@')
  return address.slice(0, at) + address.slice(at).toLowerCase()
}

const listAddresses = (value: AddressObject | AddressObject[] | undefined): MailAddress[] =>
  [value ?? []]
    .flat()
    .flatMap(one => one.value)
    .flatMap(({ address, name }) => (address ? [{ address: lower(address), name: name || null }] : []))

const listIds = (text: string): string[] => (text.match(/[^\s<>]+/g) ?? []).filter(id => id.includes('@'))

function readAll(parsed: ParsedMail): Record<string, string[]> {
  const all: Record<string, string[]> = {}
  for (const { key, line } of parsed.headerLines) {
    const value = line
      .slice(line.indexOf(':') + 1)
      .replaceAll(/\r?\n\s*/g, ' ')
      .trim()
    all[key] = [...(all[key] ?? []), value]
  }
  return all
}

const first = (list: string[] | undefined): string => list?.[0] ?? ''

function readHeaders(parsed: ParsedMail): MailHeaders {
  const all = readAll(parsed)
  const sender = parsed.headers.get('sender') as HeaderValue as AddressObject | undefined
  const delivered = ['delivered-to', 'x-original-to', 'envelope-to', 'x-envelope-to']
  const path = all['return-path']?.[0]
  return {
    messageId: listIds(first(all['message-id']))[0] ?? null,
    inReplyTo: listIds(first(all['in-reply-to'])),
    references: listIds(first(all.references)),
    threadIndex: all['thread-index'] ? Buffer.from(all['thread-index'][0]!, 'base64').toString('hex') : null,
    date: parsed.date && !Number.isNaN(parsed.date.getTime()) ? parsed.date.toISOString() : null,
    subject: parsed.subject ?? '',
    from: listAddresses(parsed.from)[0] ?? null,
    sender: listAddresses(sender)[0] ?? null,
    replyTo: listAddresses(parsed.replyTo),
    to: listAddresses(parsed.to),
    cc: listAddresses(parsed.cc),
    deliveredTo: delivered.flatMap(name => all[name] ?? []).map(lower),
    returnPath: path === undefined ? null : path.replaceAll(/[<>\s]/g, ''),
    all,
  }
}

export const sanitise = (html: string): string =>
  sanitizeHtml(html, {
    allowedTags: [...sanitizeHtml.defaults.allowedTags, 'img', 'font', 'center'],
    allowedAttributes: { '*': ['class', 'id', 'type', 'dir', 'href', 'src'] },
  })

const reportTypes = /^(?:message\/|text\/rfc822-headers)/

async function readAttached(parsed: ParsedMail): Promise<Mail['attached']> {
  const inner = parsed.attachments.filter(({ contentType }) => contentType === 'message/rfc822')
  if (inner.length !== 1) return null
  const mail = await readMail(inner[0]!.content)
  return { headers: mail.headers, text: mail.text, html: mail.html }
}

export async function readMail(raw: Buffer | string): Promise<Mail> {
  const parsed = await simpleParser(raw, {
    keepDeliveryStatus: true,
    skipHtmlToText: true,
    skipTextToHtml: true,
  })
  const reports: MailReport[] = parsed.attachments
    .filter(({ contentType }) => reportTypes.test(contentType))
    .map(({ contentType, content }) => ({ contentType, text: content.toString('utf8') }))
  return {
    headers: readHeaders(parsed),
    text: (parsed.text ?? '').replaceAll('\r\n', '\n'),
    html: parsed.html ? sanitise(parsed.html) : null,
    charset: 'utf-8',
    files: [],
    reports,
    invitation: null,
    encrypted: null,
    signature: null,
    attached: await readAttached(parsed),
    reader: 'source',
    truncated: [],
  }
}

const corpus = new URL('corpus/', import.meta.url)

interface CorpusCase {
  file: string
  kind: string
  expect: {
    threading: { target: string; reason: string }
    class: string
    bounce: { of: string; recipient: string; status: string | null; permanent: boolean } | null
    contact: { email: string; name: string | null } | null
    may_acknowledge: boolean
    first_line?: string | null
    visible_contains: string[]
    visible_not: string[]
    folded_contains?: string[]
    is_spam?: boolean
    authentication?: string
    answer_to?: string[]
    note?: string
    only_if_replaced?: string
  }
}

export const corpusCases: CorpusCase[] = JSON.parse(
  readFileSync(new URL('manifest.json', corpus), 'utf8'),
).cases

export interface WorldTicket {
  name: string
  number: number
  out: string
  reply: string
  anchor: string
}

/** Reads a mail of the corpus, with the placeholders replaced by what the tickets sent. */
export function readCorpusMail(file: string, tickets: WorldTicket[]): Promise<Mail> {
  let raw = readFileSync(new URL(file, corpus), 'latin1')
  for (const { name, number, out, reply, anchor } of tickets) {
    const small = name.toLowerCase()
    raw = raw
      .replaceAll(`${small}.out@placeholder.example.com`, out)
      .replaceAll(`${small}.reply@placeholder.example.com`, reply)
      .replaceAll(`${small}.anchor@placeholder.example.com`, anchor)
      .replaceAll(`${name}NUMBER`, String(number))
  }
  return readMail(Buffer.from(raw, 'latin1'))
}
