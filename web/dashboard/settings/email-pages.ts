import { ArrowUturnLeftIcon, EnvelopeIcon, InboxStackIcon, NoSymbolIcon } from '@heroicons/react/20/solid'
import { text } from '../core/text.ts'
import type { SettingsPageEntry } from './pages.ts'

const mailboxPage = { title: () => text.pages.mailboxes, icon: EnvelopeIcon, minRole: 'admin' as const }

/** The pages about email. */
export const emailPages: SettingsPageEntry[] = [
  { ...mailboxPage, path: 'mailboxes', load: () => import('../mailboxes/mailboxes-page.tsx') },
  {
    ...{ ...mailboxPage, isHidden: true },
    path: 'mailboxes/add',
    load: () => import('../mailboxes/add-mailbox-page.tsx'),
  },
  {
    ...{ ...mailboxPage, isHidden: true },
    path: 'mailboxes/signed-in',
    load: () => import('../mailboxes/signed-in-page.tsx'),
  },
  {
    ...{ ...mailboxPage, isHidden: true },
    path: 'mailboxes/$mailboxId',
    load: () => import('../mailboxes/mailbox-page.tsx'),
  },
  {
    path: 'reply-mailboxes',
    title: () => text.pages.replyMailboxes,
    icon: ArrowUturnLeftIcon,
    minRole: 'admin',
    load: () => import('../reply-mailboxes/reply-mailboxes-page.tsx'),
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
