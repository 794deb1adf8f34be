import type { MailHeaders } from './mail.ts'

/** The results of the receiving mail server's checks of the sender. Results that the sender added are ignored. */

/** `temperror`: DNS did not answer. */
export type MailVerdict = 'pass' | 'fail' | 'none' | 'temperror'

export interface Authentication {
  dmarc: MailVerdict
  spf: MailVerdict
  dkim: MailVerdict
  /** Of servers that forwarded the email. */
  arc: MailVerdict
}

interface Result {
  method: string
  verdict: MailVerdict
  /** The domain that DMARC checked, in lower case; '' if the header does not give it. */
  from: string
}

/** Removes comments in parentheses, which may be nested and may contain anything. */
function stripComments(text: string): string {
  let depth = 0
  let isQuoted = false
  let kept = ''
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!
    if (char === '\\') at++
    else if (char === '"' && depth === 0) isQuoted = !isQuoted
    else if (char === '(' && !isQuoted) depth++
    else if (char === ')' && !isQuoted) depth = Math.max(depth - 1, 0)
    else if (depth === 0) kept += isQuoted && char === ';' ? ' ' : char
  }
  return kept
}

const failures: Record<string, string[]> = {
  dmarc: ['fail'],
  spf: ['fail', 'softfail'],
  dkim: ['fail', 'policy'],
  arc: ['fail'],
}

function readResult(text: string): Result | null {
  const spaced = text.trim().toLowerCase().replaceAll(/\s+/g, ' ')
  const [first = '', ...properties] = spaced.replaceAll(' =', '=').replaceAll('= ', '=').split(' ')
  const [name = '', value] = first.split('=')
  const method = name.split('/')[0]!
  const failing = failures[method]
  if (!value || !failing) return null
  const verdict = value === 'pass' ? 'pass' : failing.includes(value) ? 'fail' : 'none'
  const from = properties.find(property => property.startsWith('header.from='))?.slice('header.from='.length)
  return { method, verdict, from: from?.slice(from.lastIndexOf('@') + 1) ?? '' }
}

interface Report {
  /** '' if the server omits its name, as Microsoft 365 does. */
  server: string
  results: Result[]
}

function readReport(header: string): Report {
  const [first = '', ...rest] = stripComments(header).split(';')
  const isNamed = !first.includes('=')
  const results = (isNamed ? rest : [first, ...rest]).map(readResult)
  return {
    server: isNamed ? first.trim().toLowerCase().split(/\s+/)[0]! : '',
    results: results.filter(result => result !== null),
  }
}

/** The results in the topmost headers of a trusted server. Headers further down may have been added by the sender. */
function listTrusted(headers: MailHeaders, trusted: string[]): Result[] {
  const names = trusted.map(name => name.toLowerCase())
  const reports = (headers.all['authentication-results'] ?? []).map(readReport)
  const isTrusted = ({ server }: Report): boolean => names.includes(server)
  const from = reports.findIndex(isTrusted)
  if (from < 0) return []
  const end = reports.findIndex((report, at) => at > from && (report.server === '' || !isTrusted(report)))
  return reports.slice(from, end < 0 ? undefined : end).flatMap(({ results }) => results)
}

function judge(results: Result[], method: string): MailVerdict {
  const verdicts = results.filter(result => result.method === method).map(({ verdict }) => verdict)
  if (method !== 'dkim') return verdicts[0] ?? 'none'
  return verdicts.find(one => one === 'pass') ?? verdicts.find(one => one === 'fail') ?? 'none'
}

/**
 * Reads Authentication-Results. `trusted` contains the authserv-ids of our mail servers; '' trusts a server that gives none.
 * A DMARC result for a domain other than the one in From counts as none.
 */
export function readAuthentication(headers: MailHeaders, trusted: string[]): Authentication {
  const results = listTrusted(headers, trusted)
  const domain = headers.from?.address.slice(headers.from.address.lastIndexOf('@') + 1).toLowerCase()
  const ofSender = results.filter(({ from }) => from === '' || from === domain)
  return {
    dmarc: judge(ofSender, 'dmarc'),
    spf: judge(results, 'spf'),
    dkim: judge(results, 'dkim'),
    arc: judge(results, 'arc'),
  }
}

/**
 * The results in the topmost header, and the name of the server that added it; null if there is none. Use it only for an email that was
 * sent without such headers.
 */
export function readFirstAuthentication(
  headers: MailHeaders,
): { server: string; found: Authentication } | null {
  const [first] = headers.all['authentication-results'] ?? []
  if (first === undefined) return null
  const { server } = readReport(first)
  return { server, found: readAuthentication(headers, [server]) }
}

const spamHeaders = ['x-spam-flag', 'x-spam-status', 'x-spam']

/** Whether our mail server's filter marked an email as spam. Call this only if these headers are trusted. */
export const isMarkedAsSpam = (headers: MailHeaders): boolean =>
  spamHeaders.some(name => (headers.all[name] ?? []).some(value => /^yes\b/i.test(value.trim())))
