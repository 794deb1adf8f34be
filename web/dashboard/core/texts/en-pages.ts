import { account } from './en/account.ts'
import { auditActions } from './en/audit-actions.ts'
import { automaticTexts } from './en/automatic-texts.ts'
import { conditions, ticketList } from './en/conditions.ts'
import { contactProfile } from './en/contact-profile.ts'
import { customChannels } from './en/custom-channels.ts'
import { cannedAnswers, customFields, departments, savedViews } from './en/desk.ts'
import { dkim } from './en/dkim.ts'
import { emptyViews } from './en/empty-views.ts'
import { imports } from './en/imports.ts'
import { keys, requests, webhooks } from './en/integrations.ts'
import { mailLog } from './en/mail-log.ts'
import { mailboxAutomatic } from './en/mailbox-automatic.ts'
import { mailboxSending } from './en/mailbox-sending.ts'
import { mailboxTest } from './en/mailbox-test.ts'
import { mailboxes } from './en/mailboxes.ts'
import { organizations } from './en/organizations.ts'
import { audit, billing, exports } from './en/owner.ts'
import { pageGroups } from './en/page-groups.ts'
import { people } from './en/people.ts'
import { project } from './en/project.ts'
import { provider } from './en/provider.ts'
import { digest, pushing } from './en/pushing.ts'
import { files, knowledge, tags } from './en/records.ts'
import { replyMailboxes } from './en/reply-mailboxes.ts'
import { senderDomain } from './en/sender-domain.ts'
import { senderRules } from './en/senders.ts'
import { telegramBots } from './en/telegram-bots.ts'
import { telegramTexts } from './en/telegram-texts.ts'
import { firstSteps, today } from './en/today.ts'
import { users } from './en/users.ts'
import { widget } from './en/widget.ts'

/** Texts of pages that are not shown at first. */
export const enPages = {
  account,
  audit,
  auditActions,
  automaticTexts,
  billing,
  cannedAnswers,
  contactProfile,
  conditions,
  customChannels,
  customFields,
  departments,
  digest,
  dkim,
  emptyViews,
  exports,
  files,
  firstSteps,
  imports,
  keys,
  knowledge,
  mailboxAutomatic,
  mailboxes,
  mailboxSending,
  mailboxTest,
  mailLog,
  organizations,
  pageGroups,
  people,
  project,
  provider,
  pushing,
  replyMailboxes,
  requests,
  savedViews,
  senderDomain,
  senderRules,
  tags,
  telegramBots,
  telegramTexts,
  ticketList,
  today,
  users,
  webhooks,
  widget,
}
