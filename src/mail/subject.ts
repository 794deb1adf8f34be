/** Parses the prefixes that mail programs add to subjects. */

/** Reply prefixes in lower case. */
const replyPrefixes = new Set([
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

/** Forward prefixes in lower case. */
const forwardPrefixes = new Set([
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

/** The number of replies: `Re[2]`, `Re^2`, `Re(2)`. */
const replyCount = /(?:\[\d{1,3}\]|\(\d{1,3}\)|\^\d{1,3}|\*\d{1,3})$/
const tag = /^\s*\[[^[\]]{1,40}\]\s*/
const maxPrefix = 24

/** Characters. Longer subjects are compared only up to this length. */
const maxSubject = 2_000

export interface Subject {
  /** Without prefixes and tags in brackets, in lower case, with single spaces. */
  base: string
  /** Whether the first prefix is a reply prefix. */
  isReply: boolean
}

type Prefix = 'reply' | 'forward'

function readPrefix(subject: string): { kind: Prefix; rest: string } | null {
  const at = subject.slice(0, maxPrefix + 1).search(/[:：]/)
  if (at < 1 || at > maxPrefix) return null
  const word = subject.slice(0, at).trim().replace(replyCount, '').trim().toLowerCase()
  const kind = replyPrefixes.has(word) ? 'reply' : forwardPrefixes.has(word) ? 'forward' : null
  return kind && { kind, rest: subject.slice(at + 1).trim() }
}

/** Strips all prefixes and tags from a subject. */
export function readSubject(subject: string): Subject {
  let rest = subject
    .slice(0, maxSubject)
    .replaceAll(/[\s\u00a0\p{Cf}]+/gu, ' ')
    .trim()
  let first: Prefix | null = null
  for (;;) {
    const untagged = rest.replace(tag, '')
    const prefix = readPrefix(untagged)
    if (!prefix && untagged === rest) break
    first ??= prefix?.kind ?? null
    rest = prefix?.rest ?? untagged
  }
  return { base: rest.normalize('NFKC').toLowerCase().trim(), isReply: first === 'reply' }
}

/** Each number is looked up, and a subject could contain thousands. */
const maxNumbers = 5

/** The first ticket numbers in a subject, such as `[#123]`. */
export const listTicketNumbers = (subject: string): string[] =>
  [...new Set([...subject.matchAll(/\[#(\d{1,15})\]/g)].map(([, number]) => number!))].slice(0, maxNumbers)

/** The subject without its prefixes, otherwise unchanged. */
export function stripPrefixes(subject: string): string {
  let rest = subject.trim()
  for (let prefix = readPrefix(rest); prefix; prefix = readPrefix(rest)) rest = prefix.rest
  return rest
}
