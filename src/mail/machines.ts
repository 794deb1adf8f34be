import type { MailClass, OwnFacts } from './classify.ts'
import type { Mail, MailHeaders } from './mail.ts'

/** Decides which emails may be acknowledged, and recognises no-reply addresses and mailing lists. */

/** The local part of an address, in lower case. */
export const localPart = (address: string): string =>
  address.slice(0, Math.max(address.lastIndexOf('@'), 0)).toLowerCase()

const noReply =
  /^(?:noreply|donotreply|dontreply|nepasrepondre|nichtantworten|noresponder|naoresponda)|(?:noreply|donotreply)$/

/** Whether an address is a no-reply address. */
export const isNoReply = (address: string): boolean =>
  noReply.test(localPart(address).replaceAll(/[-_.]|\+.*/g, ''))

const mailto = /mailto:([^>?\s]+)/i

/** Whether an email came through a mailing list with one of these addresses: a group that distributes the email of a mailbox. */
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
  /** Whether an operator of the project sent the email. */
  isOperator: boolean
}

/**
 * Whether an email may get an automatic reply. It may not if a program sent it, if the sender suppresses automatic replies, if
 * it is spam, if an operator sent it, or if the reply would go to a no-reply address or to one of the project's mailboxes.
 */
export function mayAcknowledge(
  mail: Mail,
  kind: MailClass,
  facts: Pick<OwnFacts, 'allAddresses'>,
  sender: SenderFacts,
): boolean {
  const { headers } = mail
  const from = headers.from?.address.toLowerCase()
  const suppress = (headers.all['x-auto-response-suppress'] ?? []).join(' ')
  if (kind !== 'person' || sender.isSpam || sender.isOperator || from === undefined) return false
  if (headers.returnPath === '' || /\b(?:all|autoreply)\b/i.test(suppress)) return false
  const replyAddresses = [from, ...headers.replyTo.map(({ address }) => address.toLowerCase())]
  const own = facts.allAddresses.map(one => one.toLowerCase())
  return !replyAddresses.some(one => own.includes(one) || isNoReply(one))
}
