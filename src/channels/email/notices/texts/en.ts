import type { NoticeMailTexts } from './shape.ts'

export const enNoticeMails: NoticeMailTexts = {
  headings: {
    assigned: {
      subject: 'Assigned to you: {ticket} (#{number})',
      title: 'You were assigned “{ticket}”',
    },
    mentioned: {
      subject: '{author} mentioned you: {ticket} (#{number})',
      title: '{author} mentioned you in “{ticket}”',
    },
    waiting: {
      subject: '{author} is waiting for an answer: {ticket} (#{number})',
      title: '{author} is waiting for an answer in “{ticket}”',
    },
  },
  assigned: 'This ticket was assigned to you.',
  wrote: '{author} wrote:',
  someone: 'A customer',
  files: 'The message has only files. Open the ticket to see them.',
  action: 'Open the ticket',
  answers: {
    reply: 'Reply to this email to answer {customer}. Your reply is sent to the customer in your name.',
    note: 'Reply to this email to add an internal note to the ticket. The customer doesn’t see it.',
    none: 'Open the ticket to answer. Replies to this email don’t reach it.',
  },
  settings: 'You can choose which emails you get in your account, under Notifications.',
}
