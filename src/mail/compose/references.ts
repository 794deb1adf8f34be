import { cleanMailId } from './clean-header.ts'
import type { OutgoingEmail } from './outgoing-email.ts'

const keptLast = 18

/**
 * The IDs in References, oldest first: the first, the last 18 and the ticket's anchor. The anchor is the last but one, because mail
 * programs take the last ID as the email that is answered, and drop IDs from the middle.
 */
export function listMailReferences({
  references,
  inReplyTo,
  anchor,
}: Pick<OutgoingEmail, 'references' | 'inReplyTo' | 'anchor'>): string[] {
  const given = [...references.filter(id => id !== inReplyTo), ...(inReplyTo === null ? [] : [inReplyTo])]
  const ids = [...new Set(given.map(cleanMailId).filter(id => id !== null))].filter(id => id !== anchor)
  const kept = ids.length > keptLast + 1 ? [ids[0]!, ...ids.slice(-keptLast)] : ids
  return [...kept.slice(0, -1), ...(anchor === null ? [] : [anchor]), ...kept.slice(-1)]
}
