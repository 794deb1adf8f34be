import { pages } from './pages.ts'

export const replyMailboxes = {
  title: pages.replyMailboxes,
  about: 'Send replies from the website chat and the API to your customers’ email addresses.',
  off: 'Off',
  noneSends: 'No mailbox can send email yet. Set up sending for a mailbox first.',
  openMailboxes: 'Open mailboxes',
  chat: 'Website chat',
  chatAbout:
    'If visitors leave the chat before reading your reply, they get it by email. If they reply, the reply appears in the same ticket and in the chat. Only verified addresses are used.',
  from: 'Send from',
  after: 'Minutes to wait',
  afterAbout: 'Unread replies are sent together in one email after this time.',
  noEvent: 'For these replies, the visitor.reply_waiting event isn’t sent.',
  api: 'API tickets',
  apiAbout:
    'When you reply in a ticket that was created through the API, contacts with an email address get the reply by email.',
}
