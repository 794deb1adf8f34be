import { pages } from './pages.ts'

export const people = {
  title: pages.people,
  about: 'Who answers here, and what each may do.',
  invite: 'Invite',
  inviteTitle: 'Invite a person',
  inviteSend: 'Make the invitation',
  invited: 'The invitation is ready',
  invitedMailed: (email: string) =>
    `It went to ${email}. You can hand over the link as well; it works once, for seven days.`,
  invitedLink: (email: string) => `Hand this link to ${email}. It works once, for seven days.`,
  link: 'Link',
  name: 'Name',
  email: 'E-mail address',
  nameNeeded: 'Enter a name.',
  emailNeeded: 'Enter an e-mail address.',
  role: 'Role',
  roles: { owner: 'Owner', admin: 'Admin', operator: 'Operator' },
  rolesAbout: {
    owner: 'Everything, including the plan and other owners.',
    admin: 'Settings, people and keys.',
    operator: 'Answers customers.',
  },
  departments: 'Departments',
  noDepartment: 'No department',
  pending: 'Invited',
  expired: 'Invitation too old',
  you: 'You',
  lastSeen: 'Seen',
  never: 'Never signed in',
  factor: 'Second step on',
  edit: 'Change',
  editTitle: (name: string) => `Change ${name}`,
  resend: 'New invitation link',
  reset: 'Link for a new password',
  resetReady: 'The link is ready',
  resetAbout: (name: string) => `Hand this link to ${name}. It works once, for one hour.`,
  remove: 'Remove',
  removeTitle: (name: string) => `Remove ${name}?`,
  removeAbout:
    'Access ends at once. Tickets that were assigned become unassigned; the name stays in what was written.',
  removed: (name: string) => `${name} has been removed`,
  actions: (name: string) => `What to do with ${name}`,
  securityAbout: 'How people of this project sign in.',
  require: 'Require a second step',
  requireAbout: 'People without one must set it up before they can work here.',
  requireTitle: 'Require a second step?',
  requireWithout: (count: number) =>
    count === 1
      ? '1 person has no second step, and cannot work here until it is set up:'
      : `${count} people have no second step, and cannot work here until they set it up:`,
  requireDo: 'Require it',
}
