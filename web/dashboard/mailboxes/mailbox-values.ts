import { pageText } from '../core/page-text.ts'
import type { Department } from '../operators/queries.ts'
import type { Mailbox, MailboxChange } from './queries.ts'

export interface MailboxValues extends Record<string, unknown> {
  name: string
  department_id: string | null
  aliases: string[]
  folders: string[]
  after_fetch: Mailbox['after_fetch']
  after_fetch_days: number
  after_fetch_folder: string
  authserv_ids: string[]
  form_senders: string[]
  trusts_spam_headers: boolean
}

export const mailboxValuesOf = (mailbox: Mailbox): MailboxValues => ({
  name: mailbox.name,
  department_id: mailbox.department_id,
  aliases: mailbox.aliases,
  folders: mailbox.folders,
  after_fetch: mailbox.after_fetch,
  after_fetch_days: mailbox.after_fetch_days,
  after_fetch_folder: mailbox.after_fetch_folder ?? '',
  authserv_ids: mailbox.authserv_ids,
  form_senders: mailbox.form_senders,
  trusts_spam_headers: mailbox.trusts_spam_headers,
})

export const mailboxBodyOf = ({ after_fetch_folder, ...values }: MailboxValues): MailboxChange => ({
  ...values,
  after_fetch_folder: after_fetch_folder.trim() || null,
})

export const mailboxLabels = (): Record<keyof MailboxValues, string> => ({
  name: pageText.mailboxes.name,
  department_id: pageText.mailboxes.department,
  aliases: pageText.mailboxes.aliases,
  folders: pageText.mailboxes.folders,
  after_fetch: pageText.mailboxes.afterFetch,
  after_fetch_days: pageText.mailboxes.afterFetchDays,
  after_fetch_folder: pageText.mailboxes.afterFetchFolder,
  authserv_ids: pageText.mailboxes.authservIds,
  form_senders: pageText.mailboxes.formSenders,
  trusts_spam_headers: pageText.mailboxes.trustsSpam,
})

/** The values as text, to compare two versions. */
export const describeValues = (values: MailboxValues, departments: Department[]) => ({
  ...values,
  department_id: departments.find(({ id }) => id === values.department_id)?.name ?? null,
  after_fetch: pageText.mailboxes.afterFetchWays[values.after_fetch],
})
