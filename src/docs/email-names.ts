import type { TSchema } from 'typebox'
import * as emails from '../channels/email/incoming/email-schema.ts'
import * as mails from '../channels/email/log/mail-log-schema.ts'
import * as email from '../channels/email/mailboxes/schema.ts'
import * as outgoing from '../channels/email/outgoing/outgoing-schema.ts'
import * as senders from '../channels/email/senders/sender-schema.ts'
import * as setUp from '../channels/email/set-up/set-up-schema.ts'

/** The names of the schemas about mailboxes and emails. */
export const emailNames: Record<string, TSchema> = {
  Mailbox: email.mailbox,
  MailboxList: email.mailboxPage,
  MailboxKind: email.mailbox.properties.incoming,
  MailboxState: email.mailbox.properties.state,
  MailboxError: email.mailbox.properties.last_error,
  MailboxSettings: email.mailboxSettings,
  MailboxImap: email.mailboxSettings.properties.imap,
  MailboxSmtp: email.mailboxSettings.properties.smtp,
  MailboxSending: email.mailbox.properties.sending,
  MailboxTrial: setUp.mailboxTrial,
  MailboxTry: setUp.mailboxTry,
  MailboxDetection: setUp.mailboxDetection,
  DetectedServer: setUp.detectedServer,
  SenderDomain: setUp.senderDomain,
  SenderDomainRecord: setUp.senderDomain.properties.records.items,
  RedirectUri: setUp.redirectUri,
  NewMailboxSignIn: setUp.newSignIn,
  MailboxSignInAgain: setUp.signInAgain,
  BegunMailboxSignIn: setUp.begunSignIn,
  MailboxSignInReturn: setUp.signInReturn,
  MailboxSignInResult: setUp.signInResult,
  MailProvider: setUp.detectedServer.properties.provider,
  NewMailbox: email.newMailbox,
  MailboxChange: email.mailboxChange,
  EmailDetails: emails.emailDetails,
  EmailHeader: emails.emailDetails.properties.headers.items,
  Participants: emails.participants,
  Participant: emails.participants.properties.items.items,
  ParticipantReason: emails.participants.properties.items.items.properties.reason,
  ParticipantsInput: emails.participantsInput,
  ReplyRecipients: outgoing.replyRecipients,
  ImageSenders: emails.imageSenders,
  ParticipantInput: emails.participantsInput.properties.participants.items,
  LoggedMail: mails.loggedMail,
  LoggedMailState: mails.loggedMail.properties.state,
  MailSource: mails.loggedMail.properties.source,
  MailOutcome: mails.outcomeFilter,
  MailEnvelope: mails.loggedMailDetails.properties.envelope,
  LoggedMailDetails: mails.loggedMailDetails,
  MailMove: mails.mailMove,
  MailLog: mails.mailLog,
  SenderRule: senders.senderRule,
  SenderRuleAuthor: senders.senderRule.properties.author_type,
  SenderVerdict: senders.senderRule.properties.verdict,
  SenderRuleInput: senders.senderRuleInput,
  SenderRuleList: senders.senderRuleList,
}
