import type { HeaderField } from '../../../mail/mail.ts'
import type { ReceivedFields } from '../../../messages/messages.ts'

/** How a message changes when its email is read again. */

/** The parts of an email that its message shows. */
export interface ShownMail extends ReceivedFields {
  quoted_text: string
  quoted_html: string | null
  headers: HeaderField[]
  /** The names of the files, in the order of the files. */
  media: string[]
}

export interface MailDifference {
  /** The names of the fields that differ, such as `content` and `email.from_name`. */
  fields: string[]
  /** The first line that differs, in the first of these fields; null if nothing differs. */
  line: { field: string; before: string; after: string } | null
}

const fieldNames = [
  'content',
  'content_html',
  'sender_name',
  'media',
  'quoted_text',
  'quoted_html',
  'headers',
] as const

/** Longer lines, such as those of HTML, are shortened to the part that differs. */
const maxLine = 160
const maxBefore = 40

type Fields = Record<string, unknown>

function fieldsOf(mail: ShownMail): Fields {
  const email = Object.entries(mail.email ?? {}).map(([name, value]) => [`email.${name}`, value])
  return Object.fromEntries([...fieldNames.map(name => [name, mail[name]]), ...email])
}

const printValue = (value: unknown): string =>
  typeof value === 'string' ? value : value == null ? '' : JSON.stringify(value)

/** The number of equal characters at the beginning. A line may be a million characters long. */
function countSame(before: string, after: string): number {
  let count = 0
  while (count < after.length && before[count] === after[count]) count++
  return count
}

function findLine(before: string, after: string): { before: string; after: string } {
  const [old, fresh] = [before.split('\n'), after.split('\n')]
  const at = Math.max(
    0,
    fresh.findIndex((line, index) => line !== old[index]),
  )
  // If the new text is only the beginning of the old one, the first missing line.
  const index = fresh[at] === old[at] ? fresh.length : at
  const lines = { before: old[index] ?? '', after: fresh[index] ?? '' }
  const from = Math.max(0, countSame(lines.before, lines.after) - maxBefore)
  const cut = (line: string): string => line.slice(from, from + maxLine).toWellFormed()
  return { before: cut(lines.before), after: cut(lines.after) }
}

export function compareMails(before: ShownMail, after: ShownMail): MailDifference {
  const [old, fresh] = [fieldsOf(before), fieldsOf(after)]
  const fields = Object.keys(fresh).filter(name => printValue(old[name]) !== printValue(fresh[name]))
  const [field] = fields
  if (!field) return { fields, line: null }
  return { fields, line: { field, ...findLine(printValue(old[field]), printValue(fresh[field])) } }
}
