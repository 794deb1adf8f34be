import type { Sql } from '../../../core/db/db.ts'
import type { ForwardedMessage } from '../../../mail/compose/outgoing-email.ts'
import type { StoredEmail } from '../../../messages/schema.ts'
import { BuildError } from './build-error.ts'
import { type FileFacts, findForwardedFacts, listFilesByIds } from './build-queries.ts'
import { htmlOf, plainOf } from './email-content.ts'

/** Reads the message that an email forwards. */

export interface Forward {
  message: ForwardedMessage
  files: FileFacts[]
}

/** Null if the email forwards nothing. */
export async function findForward(
  sql: Sql,
  projectId: string,
  { forwarded }: Pick<StoredEmail, 'forwarded'>,
): Promise<Forward | null> {
  if (!forwarded) return null
  const facts = await findForwardedFacts(sql, projectId, forwarded.message_id)
  if (!facts) throw new BuildError('not_built', 'The forwarded message was deleted')
  const files = [...(await listFilesByIds(sql, projectId, forwarded.media_ids))]
  if (files.length < forwarded.media_ids.length)
    throw new BuildError('file_missing', 'A file of the forwarded message was deleted')
  const { email, sender_name, ticket_subject } = facts
  const message = {
    from: { address: email?.from ?? '', name: email?.from_name ?? sender_name },
    at: new Date(`${email?.date ?? facts.created_at}Z`),
    subject: email?.subject || (ticket_subject ?? ''),
    text: plainOf(facts),
    html: htmlOf(facts),
  }
  return { message, files }
}
