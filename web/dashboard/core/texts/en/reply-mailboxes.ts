import { pages } from './pages.ts'

export const replyMailboxes = {
  title: pages.replyMailboxes,
  about: 'Send replies from the website chat and the API to your customers’ email addresses.',
  off: 'Off',
  noneSends: 'No mailbox can send email yet. Set up sending for a mailbox first.',
  openMailboxes: 'Open mailboxes',
  chat: 'Website chat',
  chatAbout:
    'Visitors who leave the chat before reading your reply, and customers who have blocked your Telegram bot, get it by email. If they answer, the answer appears in the same ticket and in the chat. Only verified addresses are used.',
  from: 'Send from',
  after: 'Minutes to wait',
  afterAbout: 'Unread replies are sent together in one email after this time.',
  noEvent: 'For these replies, the visitor.reply_waiting event isn’t sent.',
  api: 'API tickets',
  apiAbout:
    'When you reply in a ticket that was created through the API, or for a phone call or a visit, contacts with an email address get the reply by email.',
}
