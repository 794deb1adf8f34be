import { insertMailIdsOf, type MailIdOf } from '../channels/channels.ts'
import { parseTime, toDatabase } from '../core/time.ts'
import type { StoredEmail } from '../messages/schema.ts'
import {
  type ImportedRecipientRow,
  insertImportedDetails,
  insertImportedRecipients,
  type MailDetailsRow,
} from './email-queries.ts'
import { cleanImportedHtml, type PreparedMessage } from './prepare-messages.ts'
import type { ImportRun } from './run.ts'
import type { ImportedEmail } from './schema.ts'

/** Writes the email details of imported messages. */

const withoutBrackets = (id: string): string => id.trim().replace(/^<(.*)>$/, '$1')

const defaults = {
  from: null,
  from_name: null,
  to: [],
  cc: [],
  bcc: [],
  reply_to: [],
  subject: '',
  in_reply_to: null,
  thread_reason: 'imported',
  thread_evidence: null,
  warnings: [],
  class: 'person',
  authentication: { dmarc: 'none', spf: 'none', dkim: 'none' },
  spam: false,
  signature: null,
  encrypted: null,
  invitation: null,
  truncated: [],
  inline_media_ids: [],
  has_quote: false,
} satisfies Partial<StoredEmail>

/** The mailboxes and original emails of the other system do not exist in this project. */
export function toStoredEmail(sent: ImportedEmail): StoredEmail {
  const { recipients: _, mail_ids: __, headers: ___, quoted_text, quoted_html, ...fields } = sent
  const { message_id = null, date = null } = sent
  return {
    ...defaults,
    ...fields,
    message_id: message_id && `<${withoutBrackets(message_id)}>`,
    date: date && parseTime(date),
    mailbox_id: null,
    related_ticket_id: null,
    has_quote: sent.has_quote ?? Boolean(quoted_text || quoted_html),
    has_raw: false,
  }
}

/** A message with its id in this project. */
export interface StoredMessage {
  id: string
  prepared: PreparedMessage
}

function mailIdsOf({ id, prepared: { item } }: StoredMessage): MailIdOf[] {
  const { message_id, mail_ids = [] } = item.email ?? {}
  return [...(message_id ? [message_id] : []), ...mail_ids].map(mail_id => ({
    message_id: id,
    mail_id: withoutBrackets(mail_id),
  }))
}

function detailsOf({ id, prepared: { item } }: StoredMessage): MailDetailsRow[] {
  if (!item.email) return []
  const { headers, quoted_text = '', quoted_html = null } = item.email
  if (!headers && !quoted_text && !quoted_html) return []
  const html = quoted_html && cleanImportedHtml(quoted_html, item.media_ids ?? [])
  return [{ message_id: id, headers: headers ?? [], quoted_text, quoted_html: html }]
}

const recipientsOf = ({ id, prepared: { item, created_at } }: StoredMessage): ImportedRecipientRow[] =>
  (item.email?.recipients ?? []).map(recipient => ({
    ...recipient,
    message_id: id,
    address: recipient.address.toLowerCase(),
    updated_at: toDatabase((recipient.updated_at && parseTime(recipient.updated_at)) || created_at),
  }))

export async function putEmails({ tx }: ImportRun, messages: StoredMessage[]): Promise<void> {
  const { projectId } = tx
  const [ids, details, recipients] = [
    messages.flatMap(mailIdsOf),
    messages.flatMap(detailsOf),
    messages.flatMap(recipientsOf),
  ]
  if (ids.length) await insertMailIdsOf(tx, projectId, ids)
  if (details.length) await insertImportedDetails(tx, projectId, details)
  if (recipients.length) await insertImportedRecipients(tx, projectId, recipients)
}
