export const notifications = {
  title: 'Notifications',
  about: 'Choose what to be notified about in the browser and by email.',
  of: 'Notify me about new messages',
  by: 'How to notify me',
  choices: {
    mine: 'In tickets assigned to me',
    unassigned: 'In unassigned tickets',
    mentions: 'In notes that mention me',
    shows: 'Browser notifications',
    sounds: 'Sound',
    assigned_by_email: 'When a ticket is assigned to me',
    mentioned_by_email: 'When a note mentions me',
    waiting_by_email: 'When a customer writes in a ticket assigned to me',
  },
  byEmail: 'Email me',
  aboutEmails:
    'Deskbell waits a minute, and sends no email if you read the ticket in that time. You can reply to an email if it says so.',
  listen: 'Play sound',
  allow: 'Allow in this browser',
  denied: 'Your browser blocks notifications from this page. Allow them in the site settings, then reload.',
  unable: 'Your browser only shows notifications on https pages.',
  newMessage: 'New message',
}
