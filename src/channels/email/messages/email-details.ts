import type { Call } from '../../../core/endpoint.ts'
import { ApiError, BriefError } from '../../../core/errors.ts'
import type { Storages } from '../../../media/media.ts'
import { getMessage } from '../../../messages/messages.ts'
import type { MessageEmail } from '../../../messages/schema.ts'
import type { EmailDetails } from '../incoming/email-schema.ts'
import { findMailDetails, findOriginalId } from '../incoming/mail-queries.ts'
import { serveRawMail } from '../log/mail-log.ts'

/** What is known about the email of a message. */

type Place = Pick<Call, 'db' | 'project' | 'params'>

async function getEmail({ db, project, params }: Place): Promise<MessageEmail> {
  const { email } = await getMessage(db, project.id, params.message_id!)
  if (!email) throw new ApiError('MESSAGE_NOT_FOUND')
  return email
}

export async function readEmailDetails(call: Place): Promise<EmailDetails> {
  const email = await getEmail(call)
  const [projectId, id] = [call.project.id, call.params.message_id!]
  const details = await findMailDetails(call.db, projectId, id)
  return {
    ...email,
    headers: details?.headers ?? [],
    quoted_text: details?.quoted_text ?? '',
    quoted_html: details?.quoted_html ?? null,
    has_raw: (await findOriginalId(call.db, projectId, id)) !== null,
  }
}

/** Sends the email as it arrived. */
export async function sendOriginal(call: Call, storages: Storages) {
  await getEmail(call)
  const id = await findOriginalId(call.db, call.project.id, call.params.message_id!)
  if (id === null) throw new BriefError('file_not_found')
  return serveRawMail(call, storages, id)
}
