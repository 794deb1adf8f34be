import { isEmail } from '../../core/email.ts'
import type { ImportedContact } from '../../imports/schema.ts'
import type { ZendeskUser } from './records.ts'

/** Whether the user works in Zendesk, and is not a customer. */
export const isAgent = ({ role }: ZendeskUser): boolean => role === 'agent' || role === 'admin'

const maxTags = 50
const maxText = 255

/** Shortens a text to this length. Returns null if it is empty. */
export const cut = (text: string | null | undefined, length = maxText): string | null =>
  text?.slice(0, length) || null

/** Converts tags to those that Deskbell accepts. */
export const cleanTags = (tags: string[] | null | undefined): string[] =>
  [...new Set((tags ?? []).map(tag => tag.replaceAll(',', ' ').trim().slice(0, 64)))]
    .filter(Boolean)
    .slice(0, maxTags)

export const contactOfUser = (user: ZendeskUser): ImportedContact => {
  const note = [user.notes, user.details].filter(Boolean).join('\n\n')
  return {
    source_id: String(user.id),
    full_name: cut(user.name),
    email: user.email && isEmail(user.email) ? user.email : null,
    phone: cut(user.phone, 64),
    external_id: cut(user.external_id),
    language: cut(user.locale, 35),
    timezone: cut(user.iana_time_zone, 64),
    tags: cleanTags(user.tags),
    note: cut(note, 65_536),
    source: 'zendesk',
    ...(user.created_at && { created_at: user.created_at }),
    ...(user.updated_at && { updated_at: user.updated_at }),
  }
}
