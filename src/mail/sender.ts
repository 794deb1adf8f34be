import type { Mail, MailAddress, MailHeaders } from './mail.ts'

/** Who wrote a mail, and where answers to it go. */

export interface SenderSettings {
  /** The addresses of all mailboxes of the project. */
  ownAddresses: string[]
  /** Addresses of forms that write for others. */
  formSenders: string[]
}

export interface Writer {
  /** Whose message it is; null if the mail does not say. The name is null if there is none, or if it is an address. */
  contact: MailAddress | null
  /** Addresses to which an answer goes. */
  answerTo: MailAddress[]
  /** Whether somebody else sent it for the contact, a form or a group. DMARC then says nothing about the contact. */
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

/** `Ann Berger <ann@example.com>` or a bare address; null if there is no address. */
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

/** A name that is an address is no name. */
const cleanName = (name: string | null): string | null => (!name || name.includes('@') ? null : name)

const clean = ({ address, name }: MailAddress): MailAddress => ({ address, name: cleanName(name) })

/** For whom a form or a group wrote; null if the mail does not say. */
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
 * Who wrote a mail: From, unless a form or an address of the project wrote it for somebody else. Reply-To of a person only
 * changes where answers go.
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
