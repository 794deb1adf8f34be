import type { Sql } from '../../../core/db/db.ts'
import type { Mail } from '../../../mail/mail.ts'
import type { Earlier } from '../../../mail/quotes.ts'
import { readNoticeAddress } from '../../../mail/tokens.ts'
import { listNoticeEmails, type NoticeEmail } from './answer-queries.ts'

/** Recognises an operator's reply to a notice by its reply address. */

export interface FoundNotices {
  /** Whether the email was sent to a notice's reply address that this installation made. */
  isAddressed: boolean
  /** Only notices of this project, and only for operators who have not left. */
  notices: NoticeEmail[]
}

export async function findAnsweredNotices(
  sql: Sql,
  key: Buffer,
  projectId: string,
  { headers: { deliveredTo, to, cc } }: Mail,
  envelope: string[],
): Promise<FoundNotices> {
  const addresses = [...envelope, ...deliveredTo, ...[...to, ...cc].map(one => one.address)]
  const ids = new Set(addresses.map(address => readNoticeAddress(key, address)).filter(id => id !== null))
  return {
    isAddressed: ids.size > 0,
    notices: ids.size > 0 ? await listNoticeEmails(sql, projectId, [...ids]) : [],
  }
}

/** Adds the notices that a reply may quote. */
export const withNotices = (earlier: Earlier, notices: NoticeEmail[]): Earlier => ({
  ...earlier,
  texts: [...notices.map(one => one.content), ...earlier.texts],
  dates: [...notices.map(one => one.created_at), ...earlier.dates],
})
