import type { Sql } from '../../../core/db/db.ts'
import type { Call } from '../../../core/endpoint.ts'
import { ApiError, BriefError } from '../../../core/errors.ts'
import { dispositionOf, type Storages, serve } from '../../../media/media.ts'
import { getMessage } from '../../../messages/messages.ts'
import type { MessageEmail } from '../../../messages/schema.ts'
import type { EmailDetails } from '../incoming/email-schema.ts'
import { findMailDetails, findOriginalId } from '../incoming/mail-queries.ts'
import { serveRawMail } from '../log/mail-log.ts'
import { findOutgoing } from '../outgoing/outgoing-queries.ts'

/** What is known about the email of a message. */

type Place = Pick<Call, 'db' | 'project' | 'params'>

async function getEmail({ db, project, params }: Place): Promise<MessageEmail> {
  const { email } = await getMessage(db, project.id, params.message_id!)
  if (!email) throw new ApiError('MESSAGE_NOT_FOUND')
  return email
}

const hasOriginal = async (sql: Sql, projectId: string, id: string): Promise<boolean> =>
  (await findOriginalId(sql, projectId, id)) !== null ||
  Boolean((await findOutgoing(sql, projectId, id))?.storage_key)

export async function readEmailDetails(call: Place): Promise<EmailDetails> {
  const email = await getEmail(call)
  const [projectId, id] = [call.project.id, call.params.message_id!]
  const details = await findMailDetails(call.db, projectId, id)
  return {
    ...email,
    headers: details?.headers ?? [],
    quoted_text: details?.quoted_text ?? '',
    quoted_html: details?.quoted_html ?? null,
    has_raw: await hasOriginal(call.db, projectId, id),
  }
}

/** Sends the email as it arrived, or as it was sent. */
export async function sendOriginal(call: Call, storages: Storages) {
  const { subject } = await getEmail(call)
  const [projectId, messageId] = [call.project.id, call.params.message_id!]
  const id = await findOriginalId(call.db, projectId, messageId)
  if (id !== null) return serveRawMail(call, storages, id)
  const sent = await findOutgoing(call.db, projectId, messageId)
  if (!sent?.storage_key) throw new BriefError('file_not_found')
  const file = {
    key: sent.storage_key,
    etag: `"${sent.storage_key}"`,
    type: 'message/rfc822',
    disposition: dispositionOf(`${subject || 'email'}.eml`, false),
    size: sent.size,
  }
  return serve(call, storages, sent.bucket_id, file, 'same-origin')
}
