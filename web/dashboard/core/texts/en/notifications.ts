export const notifications = {
  title: 'Notifications',
  about: 'What you are told of while Deskbell is open in a tab.',
  of: 'Tell me of new messages',
  by: 'How',
  choices: {
    mine: 'In tickets that are assigned to me',
    unassigned: 'In tickets that nobody has',
    mentions: 'In notes that mention me',
    shows: 'Notifications of the browser',
    sounds: 'A sound',
  },
  listen: 'Listen to it',
  allow: 'Allow them in this browser',
  denied:
    'This browser blocks notifications of this page. Allow them in the settings of the page, then load it again.',
  unable: 'This browser shows notifications only where the page is served by https.',
  newMessage: 'New message',
}
