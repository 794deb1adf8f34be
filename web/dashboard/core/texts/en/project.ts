import { pages } from './pages.ts'

export const project = {
  title: pages.project,
  about: 'Name, appearance and ticket rules',
  general: 'General',
  name: 'Name',
  nameNeeded: 'Enter a name.',
  color: 'Colour',
  colorAbout: 'For buttons and links here and in the help centre',
  logo: 'Logo',
  logoAbout: 'Shown here and in the help centre. PNG, JPEG, WebP, GIF or AVIF, up to 1 MB.',
  chooseLogo: 'Choose picture',
  removeLogo: 'Remove logo',
  tickets: 'Tickets',
  reopenDays: 'Reopen closed tickets within (days)',
  reopenDaysAbout:
    'Within this time, a new message reopens the ticket. Later, it starts a new ticket linked to the old one.',
  autoCloseDays: 'Close inactive tickets after (days)',
  autoCloseDaysAbout: 'Counted from your last reply to the contact. Leave empty to never close.',
  timezone: 'Time zone',
  timezoneAbout: 'Decides when a day begins in filters and views.',
  undo: 'Undo send',
  undoAbout:
    'How many seconds you have to undo a reply. 0 sends it right away. While the visitor is in the chat, replies are always sent right away.',
  undoSeconds: {
    widget: 'Chat, when the visitor has left',
    email: 'Email',
    telegram: 'Telegram',
    api: 'API',
  },
  helpCentre: 'Help centre',
  hasHelpCentre: 'Public help centre',
  slug: 'Address',
  slugAbout: (address: string) => `Your help centre is at ${address}`,
  locale: 'Main language',
}
