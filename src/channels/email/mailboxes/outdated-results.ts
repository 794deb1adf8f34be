import type { differenceOf } from '../../../audit/difference.ts'
import { isOtherAccount } from './imap-settings.ts'
import type { MailboxRow, MailboxSettingsInput } from './mailbox.ts'
import type { MailboxFields } from './queries.ts'

/** Clears results that a change of settings has made obsolete. */

/** Clears the problems of the old settings, so that the new ones are tried. */
export const clearOldFaults = (
  old: MailboxRow,
  { imap, smtp, sending }: MailboxSettingsInput,
): MailboxFields => ({
  ...(old.state === 'broken' && { state: 'active' }),
  ...((old.state === 'broken' || imap) && { last_error: null }),
  ...((imap || smtp || sending) && {
    ...{ send_error: null, send_failures: 0, send_backoff_until: null },
    ...{ send_failing_since: null, send_report_at: null },
  }),
})

/** Another mail server may not accept plus addresses. */
export const clearPlusWorks = (
  old: MailboxRow,
  { incoming, imap, plus_works }: MailboxFields,
): MailboxFields => {
  const isMoved = (incoming && incoming !== old.incoming) || (imap && isOtherAccount(old.imap, imap))
  return isMoved && plus_works === undefined ? { plus_works: null } : {}
}

const serverFields = ['imap', 'smtp', 'sending', 'incoming']

/** Whether the mailbox must be tested again. */
export const isServerChanged = (difference: ReturnType<typeof differenceOf>): boolean =>
  serverFields.some(field => field in (difference?.after ?? {}))
