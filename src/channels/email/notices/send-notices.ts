import type { Config } from '../../../core/config/config.ts'
import type { Vault } from '../../../core/crypto.ts'
import type { Db, Sql } from '../../../core/db/db.ts'
import type { Mailer } from '../../../core/mail/mail.ts'
import type { Log } from '../../../core/telemetry/log.ts'
import { makeNoticeAddress } from '../../../mail/tokens.ts'
import { findSurvivor } from '../../../messages/messages.ts'
import { trySendMail } from '../../../operators/operators.ts'
import { insertNoticeEmail } from './answer-queries.ts'
import { type ClaimedNotices, claimNotices } from './claim-notices.ts'
import {
  deleteNotices,
  deleteStaleNotices,
  findNoticeRecipient,
  listReplyMailboxes,
  listUnseenNotices,
} from './notice-queries.ts'
import { type NoticeToWrite, writeNotice } from './write-notice.ts'

/** Sends emails to operators about their tickets. */

export interface NoticeDeps {
  config: Pick<Config, 'publicUrl'>
  vault: Vault
  log: Log
  /** Null if no mail server is configured. */
  mailer: Mailer | null
}

/** Null if no mailbox can receive a reply. */
async function findReplyAddress(sql: Sql, key: Buffer, claimed: ClaimedNotices, ticketId: string) {
  const mailboxes = await listReplyMailboxes(sql, claimed.project_id, ticketId)
  const addresses = mailboxes.map(({ address }) => makeNoticeAddress(key, address, claimed.email_id))
  return addresses.find(address => address !== null) ?? null
}

const ticketUrl = ({ publicUrl }: NoticeDeps['config'], projectId: string, number: number): string =>
  `${publicUrl.replace(/\/$/, '')}/p/${projectId}/inbox/open/${number}`

/** Null if there is nothing left to report. */
async function prepare(
  db: Db,
  { config, vault }: NoticeDeps,
  claimed: ClaimedNotices,
): Promise<(NoticeToWrite & { ticketId: string }) | null> {
  const { project_id: projectId, email_id: emailId } = claimed
  const ticketId = await findSurvivor(db, projectId, claimed.ticket_id)
  const recipient = ticketId && (await findNoticeRecipient(db, claimed, ticketId))
  const news = recipient ? await listUnseenNotices(db, claimed, ticketId) : []
  if (!ticketId || !recipient || news.length === 0) return null
  const replyTo = await findReplyAddress(db, vault.derive('mail'), claimed, ticketId)
  const answer = replyTo === null ? 'none' : claimed.has_mention ? 'note' : 'reply'
  const url = ticketUrl(config, projectId, recipient.number)
  return { emailId, url, recipient, news, answer, replyTo, ticketId }
}

/**
 * Sends one email of a project and returns how many it has claimed. If the email cannot be sent, it is due again later, with the same
 * Message-ID.
 */
export async function sendNotices(db: Db, projectId: string, deps: NoticeDeps): Promise<number> {
  const { mailer, log } = deps
  await deleteStaleNotices(db, projectId, mailer !== null)
  const claimed = mailer && (await claimNotices(db, projectId))
  if (!claimed) return 0
  const notice = await prepare(db, deps, claimed)
  if (notice) {
    const mail = writeNotice(notice)
    const { operator_id, has_mention: is_internal } = claimed
    if (notice.replyTo !== null)
      await insertNoticeEmail(db, projectId, {
        ...{ id: notice.emailId, operator_id, ticket_id: notice.ticketId, is_internal },
        content: mail.text,
      })
    if (!(await trySendMail(mailer, mail, log))) return 1
  }
  await deleteNotices(db, projectId, claimed.ids)
  return 1
}
