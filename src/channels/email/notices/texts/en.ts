import type { NoticeMailTexts } from './shape.ts'

export const enNoticeMails: NoticeMailTexts = {
  headings: {
    assigned: {
      subject: 'Assigned to you: {ticket} (#{number})',
      title: '“{ticket}” was assigned to you',
    },
    mentioned: {
      subject: '{author} mentioned you: {ticket} (#{number})',
      title: '{author} mentioned you in “{ticket}”',
    },
    waiting: {
      subject: '{author} is waiting for a reply: {ticket} (#{number})',
      title: '{author} is waiting for a reply in “{ticket}”',
    },
  },
  assigned: 'This ticket was assigned to you.',
  wrote: '{author} wrote:',
  someone: 'A customer',
  files: 'The message contains only files. Open the ticket to see them.',
  action: 'Open the ticket',
  answers: {
    reply: 'Reply to this email to answer {customer}. Your reply is sent to the customer in your name.',
    note: 'Reply to this email to add an internal note to the ticket. The customer won’t see it.',
    none: 'Open the ticket to reply. Replies to this email won’t reach the ticket.',
  },
  settings: 'To choose which emails you get, open Notifications in your account.',
}
