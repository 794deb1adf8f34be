import type { DigestTexts } from './shape.ts'

export const enDigest: DigestTexts = {
  mail: {
    subject: 'Waiting for you in {project}',
    title: 'Waiting for you in {project}',
    paragraphs: [],
    action: 'Open Deskbell',
    small: 'You chose to get this email. To change or stop it, open Notifications in your account.',
  },
  lists: {
    mine: 'Assigned to you ({count})',
    mentions: 'Notes that mention you ({count})',
    unassigned: 'Unassigned ({count})',
  },
  waiting: '{contact}, waiting since {time}',
  someone: 'A customer',
  more: { one: 'And {count} more', other: 'And {count} more' },
  page: {
    title: 'Email summary',
    question: 'Stop emails that list what’s waiting for you?',
    action: 'Stop these emails',
    done: 'You won’t get these emails any more. To get them again, open Notifications in your account.',
  },
}
