export const pushing = {
  title: 'When Deskbell is closed',
  about:
    'Your browser shows notifications even when no tab is open: messages in your tickets, tickets assigned to you, and what you chose above. You get none while a tab of the project is in front.',
  here: 'Notify me in this browser',
  hidesAbout: 'For screens that others can see',
  unable: 'This browser can’t show notifications while Deskbell is closed. It needs an https page.',
  refused:
    'This browser couldn’t register for notifications. Check that it allows push messages and can reach its push service.',
  thisBrowser: (name: string) => `${name} (this browser)`,
  lastSent: 'Last notification',
  test: 'Send test',
  testOne: (name: string) => `Send test notification to ${name}`,
  sent: 'Test notification sent',
  notSent: 'The test notification couldn’t be sent. Turn notifications off in that browser and on again.',
  remove: 'Turn off',
  removeOne: (name: string) => `Turn off notifications in ${name}`,
  removed: 'Notifications turned off',
}

export const digest = {
  title: 'Email summary',
  about:
    'Lists tickets that are waiting for your reply, notes that mention you, and unassigned tickets in your departments. You get no email when nothing is waiting.',
  often: 'How often',
  choices: { off: 'Never', hourly: 'Every hour', daily: 'Every day' },
  at: 'Time',
  timezone: 'Time zone',
}
