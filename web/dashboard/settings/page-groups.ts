import type { PageGroup } from '../core/listed-pages.tsx'

/** The groups of the settings pages, in the order of their list. */
export const settingsGroups: PageGroup[] = [
  { id: 'team', paths: ['people', 'departments', 'project', 'security', 'canned-answers', 'views'] },
  {
    id: 'channels',
    paths: ['widget', 'mailboxes', 'reply-mailboxes', 'mail-log', 'senders', 'telegram-bots', 'channels'],
  },
  { id: 'customers', paths: ['knowledge', 'tags', 'custom-fields'] },
  { id: 'developers', paths: ['keys', 'webhooks', 'requests'] },
  { id: 'data', paths: ['billing', 'files', 'imports', 'export', 'audit'] },
]
