import { pages } from './pages.ts'

export const people = {
  title: pages.people,
  about: 'Your team, and what each person can do',
  invite: 'Invite',
  inviteTitle: 'Invite someone',
  inviteSend: 'Send invite',
  invited: 'Invite created',
  invitedMailed: (email: string) =>
    `We emailed it to ${email}. You can also share this link. It works once and expires in 7 days.`,
  invitedLink: (email: string) => `Share this link with ${email}. It works once and expires in 7 days.`,
  link: 'Link',
  name: 'Name',
  email: 'Email address',
  nameNeeded: 'Enter a name.',
  emailNeeded: 'Enter an email address.',
  role: 'Role',
  roles: { owner: 'Owner', admin: 'Admin', operator: 'Operator' },
  rolesAbout: {
    owner: 'Can do everything, including billing and managing owners',
    admin: 'Manages settings, people and API keys',
    operator: 'Answers customers',
  },
  departments: 'Departments',
  noDepartment: 'No department',
  pending: 'Invited',
  expired: 'Invite expired',
  you: 'You',
  lastSeen: 'Last seen',
  never: 'Never signed in',
  factor: 'Two-factor authentication on',
  edit: 'Edit',
  editTitle: (name: string) => `Edit ${name}`,
  resend: 'Create new invite link',
  reset: 'Create password reset link',
  resetReady: 'Reset link created',
  resetAbout: (name: string) => `Share this link with ${name}. It works once and expires in 1 hour.`,
  remove: 'Remove',
  removeTitle: (name: string) => `Remove ${name}?`,
  removeAbout:
    'They lose access right away and their tickets become unassigned. Messages they sent keep their name.',
  removed: (name: string) => `${name} removed`,
  actions: (name: string) => `Actions for ${name}`,
  securityAbout: 'How people in this project sign in',
  require: 'Require two-factor authentication',
  requireAbout: 'Everyone must set it up before they can work in this project.',
  requireTitle: 'Require two-factor authentication?',
  requireWithout: (count: number) =>
    count === 1
      ? '1 person hasn’t set it up and can’t work here until they do:'
      : `${count} people haven’t set it up and can’t work here until they do:`,
  requireDo: 'Require',
}
