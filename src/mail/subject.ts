/** What mail programs put in front of a subject. */

/** In front of the subject of an answer, in lower case. */
const answers = new Set([
  ...[
    're',
    'aw',
    'antw',
    'antwort',
    'sv',
    'svar',
    'vs',
    'r',
    'rif',
    'rép',
    'ref',
    'res',
    'odp',
    'ynt',
    'cevap',
  ],
  ...[
    'vá',
    'bls',
    'balas',
    'atb',
    'ats',
    'odg',
    'răsp',
    'απ',
    'σχετ',
    'на',
    'отв',
    'ответ',
    'відп',
    'отг',
    'одг',
  ],
  ...[
    '回复',
    '回覆',
    '答复',
    '答覆',
    '返信',
    '답장',
    '회신',
    'ตอบกลับ',
    'ตอบ',
    'השב',
    'תגובה',
    'رد',
    'پاسخ',
    'trả lời',
    'उत्तर',
  ],
])

/** In front of the subject of a mail that is passed on. */
const forwards = new Set([
  ...[
    'fw',
    'fwd',
    'wg',
    'tr',
    'i',
    'rv',
    'enc',
    'vb',
    'vl',
    'pd',
    'doorst',
    'fs',
    'ilt',
    'i̇lt',
    'továbbítás',
    'trs',
    'yml',
  ],
  ...[
    'προωθ',
    'пер',
    'пересл',
    'fv',
    '转发',
    '轉寄',
    '轉發',
    '転送',
    '전달',
    'ส่งต่อ',
    'הועבר',
    'إعادة توجيه',
    'chuyển tiếp',
  ],
])

/** `Re[2]`, `Re^2`, `Re(2)`: how often it was answered. */
const count = /(?:\[\d{1,3}\]|\(\d{1,3}\)|\^\d{1,3}|\*\d{1,3})$/
const tag = /^\s*\[[^[\]]{1,40}\]\s*/
const maxPrefix = 24

export interface Subject {
  /** Without prefixes and tags in brackets, in lower case, with single spaces. */
  base: string
  /** Whether the first prefix is that of an answer. */
  isAnswer: boolean
}

type Prefix = 'answer' | 'forward'

function readPrefix(subject: string): { kind: Prefix; rest: string } | null {
  const at = subject.search(/[:：]/)
  if (at < 1 || at > maxPrefix) return null
  const word = subject.slice(0, at).trim().replace(count, '').trim().toLowerCase()
  const kind = answers.has(word) ? 'answer' : forwards.has(word) ? 'forward' : null
  return kind && { kind, rest: subject.slice(at + 1).trim() }
}

/** Takes the prefixes and tags off a subject, as often as they stand there. */
export function readSubject(subject: string): Subject {
  let rest = subject.replaceAll(/[\s\u00a0\p{Cf}]+/gu, ' ').trim()
  let first: Prefix | null = null
  for (;;) {
    const untagged = rest.replace(tag, '')
    const prefix = readPrefix(untagged)
    if (!prefix && untagged === rest) break
    first ??= prefix?.kind ?? null
    rest = prefix?.rest ?? untagged
  }
  return { base: rest.normalize('NFKC').toLowerCase().trim(), isAnswer: first === 'answer' }
}

/** The numbers of tickets in a subject, as `[#123]`. */
export const listTicketNumbers = (subject: string): string[] => [
  ...new Set([...subject.matchAll(/\[#(\d{1,15})\]/g)].map(([, number]) => number!)),
]

/** A subject without prefixes, as it was written. */
export function stripPrefixes(subject: string): string {
  const rest = subject.trim()
  const prefix = readPrefix(rest)
  return prefix ? stripPrefixes(prefix.rest) : rest
}
