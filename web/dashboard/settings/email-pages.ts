import { EnvelopeIcon, InboxStackIcon, NoSymbolIcon } from '@heroicons/react/20/solid'
import { text } from '../core/text.ts'
import type { SettingsPageEntry } from './pages.ts'

/** The pages about email. */
export const emailPages: SettingsPageEntry[] = [
  {
    path: 'mailboxes',
    title: () => text.pages.mailboxes,
    icon: EnvelopeIcon,
    minRole: 'admin',
    load: () => import('../mailboxes/mailboxes-page.tsx'),
  },
  {
    path: 'mailboxes/add',
    title: () => text.pages.mailboxes,
    icon: EnvelopeIcon,
    minRole: 'admin',
    isHidden: true,
    load: () => import('../mailboxes/add-mailbox-page.tsx'),
  },
  {
    path: 'mailboxes/$mailboxId',
    title: () => text.pages.mailboxes,
    icon: EnvelopeIcon,
    minRole: 'admin',
    isHidden: true,
    load: () => import('../mailboxes/mailbox-page.tsx'),
  },
  {
    path: 'mail-log',
    title: () => text.pages.mailLog,
    icon: InboxStackIcon,
    load: () => import('../mail-log/mail-log-page.tsx'),
  },
  {
    path: 'senders',
    title: () => text.pages.senders,
    icon: NoSymbolIcon,
    minRole: 'admin',
    load: () => import('../senders/senders-page.tsx'),
  },
]
