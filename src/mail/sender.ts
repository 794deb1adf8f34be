import { parseAddresses } from './addresses.ts'
import type { Mail, MailAddress, MailHeaders } from './mail.ts'

/** Finds the author of an email and the addresses for replies. */

export interface SenderSettings {
  /** The addresses of all mailboxes in the project. */
  ownAddresses: string[]
  /** Addresses of web forms that send on behalf of others. */
  formSenders: string[]
}

export interface Writer {
  /** The author; null if From is missing. The name is null if there is none or it is an address. */
  contact: MailAddress | null
  /** The addresses for replies. */
  answerTo: MailAddress[]
  /** Whether a form or group sent it for the contact. DMARC then does not verify the contact. */
  isSentByOther: boolean
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

const has = (list: string[], address: string): boolean => list.some(one => isSame(one, address))

const isQuote = (char: string | undefined): boolean => char !== undefined && `"' `.includes(char)

function stripQuotes(text: string): string {
  let [from, end] = [0, text.length]
  while (isQuote(text[from])) from++
  while (end > from && isQuote(text[end - 1])) end--
  return text.slice(from, end)
}

/** Parses `Ann Berger <ann@example.com>` or a bare address; null if there is no address. */
export function parseAddress(text: string): MailAddress | null {
  const open = text.lastIndexOf('<')
  const inside = open < 0 ? text : text.slice(open + 1).split('>')[0]!
  const address = inside.replace(/^mailto:/i, '').replaceAll(/[\s\p{Cf}"';,]+/gu, '')
  const at = address.lastIndexOf('@')
  if (at < 1 || at === address.length - 1) return null
  const name =
    open < 0
      ? ''
      : stripQuotes(
          text
            .slice(0, open)
            .replaceAll(/\p{Cf}/gu, '')
            .trim(),
        )

  return { address: address.slice(0, at) + address.slice(at).toLowerCase(), name: cleanName(name) }
}

const cleanName = (name: string | null): string | null => (!name || name.includes('@') ? null : name)

const clean = ({ address, name }: MailAddress): MailAddress => ({ address, name: cleanName(name) })

/** The person that a form or group sent the email for; null if unknown. */
function findOriginal(headers: MailHeaders, settings: SenderSettings): MailAddress | null {
  const isForeign = ({ address }: MailAddress): boolean =>
    !has(settings.ownAddresses, address) && !has(settings.formSenders, address)
  const named = ['x-original-from', 'x-original-sender'].map(name =>
    parseAddress(headers.all[name]?.[0] ?? ''),
  )
  const reply = headers.replyTo.length === 1 ? headers.replyTo[0]! : null
  const found = [...named, reply].filter(one => one !== null).filter(isForeign)
  const [first] = found
  if (!first) return null
  return first.name
    ? first
    : (found.find(({ address, name }) => name && isSame(address, first.address)) ?? first)
}

/**
 * The author of an email. This is From, unless a form or one of the project's addresses sent it for someone else. A person's
 * Reply-To only changes where replies go.
 */
export function findWriter({ headers }: Pick<Mail, 'headers'>, settings: SenderSettings): Writer {
  const { from, replyTo } = headers
  if (!from) return { contact: null, answerTo: [], isSentByOther: false }
  const isOther = has(settings.ownAddresses, from.address) || has(settings.formSenders, from.address)
  const original = isOther ? findOriginal(headers, settings) : null
  if (original) return { contact: clean(original), answerTo: [clean(original)], isSentByOther: true }
  const contact = clean(from)
  const others = replyTo.filter(({ address }) => !has(settings.ownAddresses, address)).map(clean)
  return { contact, answerTo: others.length > 0 ? others : [contact], isSentByOther: false }
}

/**
 * Whether there is a single address in From. Of several headers, a DKIM signature may cover only the last one, so anyone with an address
 * at a provider could add the address of somebody else there.
 */
export const hasOneAuthor = ({ all }: MailHeaders): boolean =>
  (all.from ?? []).flatMap(text => parseAddresses(text, 2)).length === 1
