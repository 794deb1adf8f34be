import type { MailboxMailTexts } from './shape.ts'

export const enMailboxMails: MailboxMailTexts = {
  receiving: {
    subject: 'Deskbell can’t fetch email for {address}',
    title: 'Email for {address} isn’t arriving',
    paragraphs: [
      'Deskbell hasn’t been able to fetch email for {address} for at least 15 minutes. The last attempt ended with this problem:',
      '{reason}',
      'No email is lost: it stays on the mail server, and Deskbell fetches it once the problem is solved.',
    ],
    action: 'Open the mailbox',
    small: 'You’re receiving this because you’re an admin of {project}. Deskbell sends one email per outage.',
  },
  sending: {
    subject: 'Deskbell can’t send email from {address}',
    title: 'Replies from {address} aren’t being sent',
    paragraphs: [
      'Deskbell hasn’t been able to send email from {address} for at least 15 minutes. The last attempt ended with this problem:',
      '{reason}',
      'No replies are lost: Deskbell sends them once the problem is solved.',
    ],
    action: 'Open the mailbox',
    small: 'You’re receiving this because you’re an admin of {project}. Deskbell sends one email per outage.',
  },
  probe: {
    subject: 'Deskbell test email',
    text: 'Deskbell sent this email to test whether this mailbox can send and receive. You can delete it.',
  },
}
