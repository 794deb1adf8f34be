import { account } from './en/account.ts'
import { auditActions } from './en/audit-actions.ts'
import { cannedAnswers, customFields, departments, savedViews } from './en/desk.ts'
import { dkim } from './en/dkim.ts'
import { keys, requests, webhooks } from './en/integrations.ts'
import { mailLog } from './en/mail-log.ts'
import { mailboxAutomatic } from './en/mailbox-automatic.ts'
import { mailboxSending } from './en/mailbox-sending.ts'
import { mailboxTest } from './en/mailbox-test.ts'
import { mailboxes } from './en/mailboxes.ts'
import { audit, billing, exports } from './en/owner.ts'
import { people } from './en/people.ts'
import { project } from './en/project.ts'
import { provider } from './en/provider.ts'
import { files, knowledge, tags } from './en/records.ts'
import { replyMailboxes } from './en/reply-mailboxes.ts'
import { senderDomain } from './en/sender-domain.ts'
import { senderRules } from './en/senders.ts'
import { users } from './en/users.ts'
import { widget } from './en/widget.ts'

/** Texts of pages that are not shown at first. */
export const enPages = {
  account,
  audit,
  auditActions,
  billing,
  cannedAnswers,
  customFields,
  departments,
  dkim,
  exports,
  files,
  keys,
  knowledge,
  mailboxAutomatic,
  mailboxes,
  mailboxSending,
  mailboxTest,
  mailLog,
  people,
  project,
  provider,
  replyMailboxes,
  requests,
  savedViews,
  senderDomain,
  senderRules,
  tags,
  users,
  webhooks,
  widget,
}
