export const notifications = {
  title: 'Notifications',
  about: 'Choose what to be notified about while Deskbell is open in a tab.',
  of: 'Notify me about new messages',
  by: 'How to notify me',
  choices: {
    mine: 'In tickets assigned to me',
    unassigned: 'In unassigned tickets',
    mentions: 'In notes that mention me',
    shows: 'Browser notifications',
    sounds: 'Sound',
  },
  listen: 'Play sound',
  allow: 'Allow in this browser',
  denied: 'Your browser blocks notifications from this page. Allow them in the site settings, then reload.',
  unable: 'Your browser only shows notifications on https pages.',
  newMessage: 'New message',
}
