import type { MailClass, OwnFacts } from './classify.ts'
import type { Mail, MailHeaders } from './mail.ts'

/** Signs by which programs show that they wrote a mail, or want no answer to it. */

/** The part in front of the @, in lower case. */
export const localPart = (address: string): string =>
  address.slice(0, Math.max(address.lastIndexOf('@'), 0)).toLowerCase()

const noReply =
  /^(?:noreply|donotreply|dontreply|nepasrepondre|nichtantworten|noresponder|naoresponda)|(?:noreply|donotreply)$/

/** Whether an address says that nobody reads it. */
export const isNoReply = (address: string): boolean =>
  noReply.test(localPart(address).replaceAll(/[-_.]|\+.*/g, ''))

const mailto = /mailto:([^>?\s]+)/i

/** Whether a mail came over a list whose address is one of these: a group that only distributes the mails of a mailbox. */
export function listsUs(headers: MailHeaders, addresses: string[]): boolean {
  const [listId = ''] = headers.all['list-id'] ?? []
  const post = mailto.exec(headers.all['list-post']?.[0] ?? '')?.[1]?.toLowerCase()
  const inside = listId
    .slice(listId.lastIndexOf('<') + 1)
    .replaceAll(/[>\s]/g, '')
    .toLowerCase()
  return addresses.some(one => {
    const address = one.toLowerCase()
    return post === address || inside === address.replace('@', '.')
  })
}

export interface SenderFacts {
  isSpam: boolean
  /** Whether an operator of the project sent the mail. */
  isOperator: boolean
}

/**
 * Whether an automatic answer may go out for a mail. It may not if a program wrote it, if its sender asks for none, and if
 * it is spam, or of an operator or a mailbox of the project.
 */
export function mayAcknowledge(mail: Mail, kind: MailClass, facts: OwnFacts, sender: SenderFacts): boolean {
  const { headers } = mail
  const from = headers.from?.address.toLowerCase()
  const suppress = (headers.all['x-auto-response-suppress'] ?? []).join(' ')
  if (kind !== 'person' || sender.isSpam || sender.isOperator || from === undefined) return false
  if (headers.returnPath === '' || /\b(?:all|autoreply)\b/i.test(suppress)) return false
  const answered = [from, ...headers.replyTo.map(({ address }) => address.toLowerCase())]
  const own = facts.allAddresses.map(one => one.toLowerCase())
  return !answered.some(one => own.includes(one) || isNoReply(one))
}
