import { account } from './en/account.ts'
import { auditActions } from './en/audit-actions.ts'
import { cannedAnswers, customFields, departments, savedViews } from './en/desk.ts'
import { keys, requests, webhooks } from './en/integrations.ts'
import { mailLog } from './en/mail-log.ts'
import { mailboxSending } from './en/mailbox-sending.ts'
import { mailboxes } from './en/mailboxes.ts'
import { audit, billing, exports } from './en/owner.ts'
import { people } from './en/people.ts'
import { project } from './en/project.ts'
import { provider } from './en/provider.ts'
import { files, knowledge, tags } from './en/records.ts'
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
  exports,
  files,
  keys,
  knowledge,
  mailboxes,
  mailboxSending,
  mailLog,
  people,
  project,
  provider,
  requests,
  savedViews,
  senderDomain,
  senderRules,
  tags,
  users,
  webhooks,
  widget,
}
