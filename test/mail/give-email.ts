import type { Db } from '../../src/core/db/db.ts'
import { newId } from '../../src/core/ids.ts'
import type { StoredEmail } from '../../src/messages/schema.ts'

/** The `email` field of a message from Ann. */
export const emailOfAnn: StoredEmail = {
  message_id: '<a1@example.com>',
  in_reply_to: null,
  from: 'ann@example.com',
  from_name: 'Ann Lee',
  to: ['support@example.com'],
  cc: ['ben@example.com'],
  bcc: [],
  reply_to: ['ann@example.com'],
  subject: 'My order',
  date: '2026-01-15T10:30:00.000000',
  mailbox_id: null,
  thread_reason: 'new',
  thread_evidence: null,
  related_ticket_id: null,
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
  has_raw: true,
}

/** Turns a message into an email from Ann. Its stored original is a copy of an uploaded file. */
export async function giveEmail(
  db: Db,
  projectId: string,
  messageId: string,
  mediaId: string,
): Promise<void> {
  const mailId = newId()
  await db`
    insert into incoming_mails (project_id, id, source, size, sha256, storage_key, received_at, state, message_id)
    select project_id, ${mailId}, 'lmtp', size, sha256, storage_key, now(), 'done', ${messageId} from media
    where project_id = ${projectId} and id = ${mediaId}`
  await db`
    insert into mail_details (project_id, message_id, incoming_mail_id, headers)
    values (${projectId}, ${messageId}, ${mailId}, ${[{ name: 'Subject', value: 'My order' }] as never})`
  await db`update messages set email = ${emailOfAnn as never} where project_id = ${projectId} and id = ${messageId}`
}
