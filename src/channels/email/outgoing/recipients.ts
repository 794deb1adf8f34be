import { foldEmail, isEmail } from '../../../core/email.ts'
import { refuse } from '../../../core/errors.ts'
import { stripPrefixes } from '../../../mail/subject.ts'

/** Who gets a reply, and its subject. Without a database. */

/** An email that was received in the ticket. */
export interface ReceivedEmail {
  message_id: string | null
  from: string | null
  reply_to: string[]
  to: string[]
  cc: string[]
  subject: string
  thread_reason: string
  created_at: string
  /** Whether the ticket's contact wrote it, and not another participant. */
  is_from_contact: boolean
  /** Whether its sender takes part in the ticket: it did not join by evidence that anybody can guess. */
  is_trusted: boolean
  /** An automatic reply, or an email whose DMARC check failed. */
  is_doubtful: boolean
}

export interface EmailRecipients {
  to: string[]
  cc: string[]
  bcc: string[]
}

export interface ReplyFacts {
  emails: ReceivedEmail[]
  /** The contact's primary address. */
  contactAddress: string | null
  /** Whether an address belongs to a mailbox of the project. */
  isOwn(address: string): boolean
  /** The people who were added to or removed from the ticket. */
  participants: { address: string; is_removed: boolean }[]
}

export const maxOutgoingRecipients = 100

const newestOf = (emails: ReceivedEmail[]): ReceivedEmail | null =>
  emails.reduce<ReceivedEmail | null>(
    (newest, email) => (newest && newest.created_at >= email.created_at ? newest : email),
    null,
  )

/** The contact's newest email, otherwise that of another participant. */
export function chooseAnswered(emails: ReceivedEmail[]): ReceivedEmail | null {
  const trusted = emails.filter(email => email.is_trusted)
  const choices = [true, false].flatMap(isFromContact =>
    [false, true].map(isDoubtful =>
      trusted.filter(email => email.is_from_contact === isFromContact && email.is_doubtful === isDoubtful),
    ),
  )
  return newestOf(choices.find(list => list.length > 0) ?? [])
}

/** The email that a reply refers to in In-Reply-To. It need not be trusted, because its ID tells its sender nothing. */
export const newestEmail = (emails: ReceivedEmail[]): ReceivedEmail | null => {
  const own = emails.filter(email => email.is_from_contact)
  return newestOf(own.length > 0 ? own : emails)
}

/** Each address once: in To rather than in Cc, and in Cc rather than in Bcc. */
export function mergeRecipients({ to, cc, bcc }: EmailRecipients): EmailRecipients {
  const seen = new Set<string>()
  const unseen = (list: string[]): string[] =>
    list.filter(address => seen.size < seen.add(foldEmail(address)).size)
  return { to: unseen(to), cc: unseen(cc), bcc: unseen(bcc) }
}

const writersOf = ({ from, reply_to }: ReceivedEmail): string[] =>
  reply_to.length > 0 ? reply_to : from === null ? [] : [from]

/** The recipients of a forwarded email were chosen by the operator who forwarded it. */
const othersOf = ({ to, cc, thread_reason }: ReceivedEmail): string[] =>
  thread_reason === 'forwarded' ? [] : [...to, ...cc]

/**
 * The recipients of a reply: the writer of the answered email, and its other recipients. Nobody else, except people who were added to
 * the ticket.
 */
export function chooseRecipients({
  emails,
  contactAddress,
  isOwn,
  participants,
}: ReplyFacts): EmailRecipients {
  const answered = chooseAnswered(emails)
  const namesOf = (isRemoved: boolean): string[] =>
    participants.filter(one => one.is_removed === isRemoved).map(({ address }) => address)
  const removed = new Set(namesOf(true).map(foldEmail))
  const usable = (list: string[]): string[] =>
    list.filter(address => isEmail(address) && !isOwn(address) && !removed.has(foldEmail(address)))
  const writers = usable(answered ? writersOf(answered) : [])
  const fallback = contactAddress === null || isOwn(contactAddress) ? [] : [contactAddress]
  const { to, cc } = mergeRecipients({
    to: writers.length > 0 ? writers : fallback,
    cc: usable([...(answered ? othersOf(answered) : []), ...namesOf(false)]),
    bcc: [],
  })
  const kept = to.slice(0, maxOutgoingRecipients)
  return { to: kept, cc: cc.slice(0, maxOutgoingRecipients - kept.length), bcc: [] }
}

/** What a request says about recipients. */
export type ChosenRecipients = { [kind in keyof EmailRecipients]?: string[] | undefined }

/** The recipients that somebody chose. Cc has a default only if To has its own: otherwise, the others would get somebody else's email. */
export function requireRecipients(
  chosen: ChosenRecipients,
  defaults: EmailRecipients,
  isOwn: (address: string) => boolean,
): EmailRecipients {
  for (const kind of ['to', 'cc', 'bcc'] as const) {
    const own = (chosen[kind] ?? []).filter(isOwn)
    if (own.length > 0) throw refuse(`email.${kind}`, 'mailbox_address', { addresses: own })
  }
  const recipients = mergeRecipients({
    to: chosen.to ?? defaults.to,
    cc: chosen.cc ?? (chosen.to ? [] : defaults.cc),
    bcc: chosen.bcc ?? [],
  })
  const count = recipients.to.length + recipients.cc.length + recipients.bcc.length
  if (count > maxOutgoingRecipients) throw refuse('email', 'too_many', { max: maxOutgoingRecipients })
  if (count === 0 && chosen.to) throw refuse('email.to', 'required')
  return recipients
}

/** `Re: ` and the subject of the answered email without its prefixes. */
export const subjectOfReply = (subject: string): string => `Re: ${stripPrefixes(subject)}`.trim()
