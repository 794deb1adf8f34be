import { createHash } from 'node:crypto'
import { shortenText } from '../../../core/text/shorten-text.ts'
import type { Tx } from '../../../events/transaction.ts'
import type { Mail } from '../../../mail/mail.ts'
import type { ClaimedMail } from './incoming-queries.ts'

/** Emails with the same fingerprint are duplicates. It excludes headers that change with each delivery. */
function fingerprintOf({ headers, text, files }: Mail): string {
  const said = [headers.from?.address, headers.date, headers.subject, text, ...files.map(file => file.sha256)]
  return createHash('sha256').update(JSON.stringify(said)).digest('hex')
}

export const summaryOf = (mail: Mail) => ({
  header_id: mail.headers.messageId?.slice(0, 998).toWellFormed() ?? null,
  fingerprint: fingerprintOf(mail),
  sender: mail.headers.from?.address.slice(0, 320).toWellFormed() ?? null,
  subject: shortenText(mail.headers.subject, 998).kept,
})

export type MailSummary = ReturnType<typeof summaryOf>

/** The log entry of another copy that has been handled; null if there is none. A lock serialises processes that handle copies concurrently. */
export async function findHandledCopy(
  tx: Tx,
  { id }: ClaimedMail,
  { header_id, fingerprint }: MailSummary,
): Promise<string | null> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`mail ${tx.projectId} ${fingerprint}`}, 0))`
  const [row] = await tx<{ id: string }[]>`
    select id from incoming_mails where project_id = ${tx.projectId} and fingerprint = ${fingerprint} and id <> ${id}
      and (state = 'done' or message_id is not null) and header_id is not distinct from ${header_id}
      and (${header_id}::text is not null or created_at > now() - interval '7 days') limit 1`
  return row?.id ?? null
}
