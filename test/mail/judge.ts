import type { Expected, ExpectedFile } from './manifest.ts'

/** Compares the result for an email with the corpus manifest. */

export interface SeenFile {
  filename: string
  size: number
  content_type: string
  inline: boolean
}

/** The actual result for an email. Missing fields are not compared. */
export interface Seen {
  subject?: string
  text?: string
  html?: string | null
  charset?: string | null
  contact?: { email: string; name: string | null } | null
  media?: SeenFile[]
  signature?: string | null
  encrypted?: string | null
  /** `new`, a ticket name, `follow_up:` and a ticket name, `duplicate` or `none`. */
  target?: string
  reason?: string
  class?: string
  /** The folded text. */
  quoted?: string
  is_spam?: boolean
  authentication?: string
  reopened?: boolean
  answer_to?: string[]
  /** The recorded problem of a sent message, whose ticket is `of`; null if there is none. */
  bounce?: { of: string; recipient: string; status: string | null } | null
}

/** Collapses spaces and removes direction marks. */
const flat = (text: string): string => text.replaceAll(/[\s\u00a0\u200e\u200f]+/g, ' ').trim()

const firstLineOf = (text: string): string => text.split('\n').map(flat).find(Boolean) ?? ''

function judgeFile(want: ExpectedFile, { filename, size, content_type, inline }: SeenFile): string[] {
  return [
    want.filename && filename !== want.filename && `name ${filename}, not ${want.filename}`,
    want.name_ends &&
      !filename.endsWith(want.name_ends) &&
      `name ${filename} does not end in ${want.name_ends}`,
    ...(want.name_not ?? []).map(bad => filename.includes(bad) && `name contains ${JSON.stringify(bad)}`),
    want.size !== null && size !== want.size && `${size} bytes, not ${want.size}`,
    want.content_type && content_type !== want.content_type && `${content_type}, not ${want.content_type}`,
    want.inline !== undefined && inline !== want.inline && `inline is ${inline}`,
  ].filter(wrong => typeof wrong === 'string')
}

function judgeFiles(want: ExpectedFile[], seen: SeenFile[]): string[] {
  const needed = want.filter(file => !file.may_be_missing).length
  if (seen.length > want.length || seen.length < needed) return [`${seen.length} files, not ${want.length}`]
  if (seen.length < want.length) return []
  return want.flatMap((file, at) => judgeFile(file, seen[at]!).map(wrong => `file ${at}: ${wrong}`))
}

function judgeText({ first_line, visible_contains, visible_not }: Expected, text: string): string[] {
  const shown = flat(text)
  return [
    first_line && firstLineOf(text) !== flat(first_line) && `first line: ${firstLineOf(text)}`,
    ...visible_contains.map(part => !shown.includes(flat(part)) && `not shown: ${part}`),
    ...visible_not.map(part => shown.includes(flat(part)) && `shown: ${part}`),
  ].filter(wrong => typeof wrong === 'string')
}

function judgeContact(want: Expected['contact'], seen: Seen['contact']): string[] {
  if (!want) return []
  return [
    seen?.email.toLowerCase() !== want.email.toLowerCase() && `contact: ${seen?.email}, not ${want.email}`,
    want.name &&
      seen?.name?.toLowerCase() !== want.name.toLowerCase() &&
      `contact name: ${seen?.name}, not ${want.name}`,
  ].filter(wrong => typeof wrong === 'string')
}

const has = (seen: Seen, key: keyof Seen): boolean => seen[key] !== undefined

function judgeThreading(want: Expected, seen: Seen): string[] {
  const isWrong = (key: keyof Seen, expected: unknown) =>
    has(seen, key) &&
    expected !== undefined &&
    seen[key] !== expected &&
    `${key}: ${seen[key]}, not ${expected}`
  const reasons = want.threading.reason.split('|')
  const all = flat(`${seen.text}\n${seen.quoted}`).replaceAll('> ', '')
  return [
    isWrong('target', want.threading.target),
    has(seen, 'reason') &&
      !reasons.includes(seen.reason!) &&
      `reason: ${seen.reason}, not ${want.threading.reason}`,
    isWrong('class', want.class),
    isWrong('is_spam', want.is_spam ?? false),
    isWrong('authentication', want.authentication),
    isWrong('reopened', want.reopens),
    ...(has(seen, 'quoted') ? (want.folded_contains ?? []) : []).map(
      part => !all.includes(flat(part)) && `lost: ${part}`,
    ),
    ...(want.answer_to ?? []).map(
      one => has(seen, 'answer_to') && !seen.answer_to!.includes(one) && `missing in answer_to: ${one}`,
    ),
  ].filter(wrong => typeof wrong === 'string')
}

function judgeBounce({ bounce: want }: Expected, seen: NonNullable<Seen['bounce']> | null): string[] {
  const print = (one: Seen['bounce']) => one && `${one.of} ${one.recipient} ${one.status}`
  const [expected, found] = [print(want ?? null), print(seen)]
  return expected === found ? [] : [`bounce: ${found}, not ${expected}`]
}

/** Descriptions of all differences; empty if the result is as expected. */
export function judge(expect: Expected, seen: Seen): string[] {
  const same = (key: 'charset' | 'signature' | 'encrypted') =>
    has(seen, key) && expect[key] !== undefined && seen[key] !== expect[key] && `${key}: ${seen[key]}`
  const { subject } = expect
  const wrong = [
    has(seen, 'subject') &&
      subject !== undefined &&
      flat(seen.subject!) !== flat(subject ?? '') &&
      `subject: ${seen.subject}`,
    same('charset'),
    same('signature'),
    same('encrypted'),
    ...(expect.html_not ?? []).map(bad => seen.html?.toLowerCase().includes(bad) && `HTML contains ${bad}`),
  ]
  return [
    ...wrong.filter(one => typeof one === 'string'),
    ...judgeThreading(expect, seen),
    ...(seen.bounce === undefined ? [] : judgeBounce(expect, seen.bounce)),
    ...(has(seen, 'contact') ? judgeContact(expect.contact, seen.contact) : []),
    ...(has(seen, 'text') ? judgeText(expect, seen.text!) : []),
    ...(has(seen, 'media') ? judgeFiles(expect.attachments, seen.media!) : []),
  ]
}
