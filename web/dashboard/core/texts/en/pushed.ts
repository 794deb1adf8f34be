/** What browsers show while Deskbell is closed. It is part of the service worker, which loads no other texts. */
export const pushed = {
  test: 'Notifications are working',
  testAbout: 'This browser shows them when Deskbell is closed or in the background.',
  from: (author: string, text: string) => `${author}: ${text}`,
  customer: 'A customer',
  someone: 'Someone',
  files: 'Attached files',
  titles: {
    waiting: (subject: string) => subject,
    assigned: (subject: string) => `Assigned to you: ${subject}`,
    mentioned: (subject: string) => `You were mentioned: ${subject}`,
    unassigned: (subject: string) => `New ticket: ${subject}`,
  },
  /** Without names and texts. */
  hidden: {
    waiting: (number: number) => `New message in #${number}`,
    assigned: (number: number) => `#${number} was assigned to you`,
    mentioned: (number: number) => `You were mentioned in #${number}`,
    unassigned: (number: number) => `New ticket #${number}`,
  },
}
