/** The groups of the settings and account pages. */
export const pageGroups = {
  find: 'Find a setting',
  none: 'No results',
  groups: {
    team: 'Team',
    channels: 'Channels',
    customers: 'Customers',
    developers: 'Developers',
    data: 'Billing and data',
    you: 'You',
    access: 'Signing in',
  },
}
