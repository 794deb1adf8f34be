import {
  BellIcon,
  ComputerDesktopIcon,
  InboxIcon,
  PaintBrushIcon,
  ShieldCheckIcon,
  UserCircleIcon,
} from '@heroicons/react/20/solid'
import type { ListedPage } from '../core/listed-pages.tsx'
import { text } from '../core/text.ts'

/** The pages of a person's own account. */
export const accountPages: ListedPage[] = [
  {
    path: 'profile',
    title: () => text.pages.profile,
    icon: UserCircleIcon,
    load: () => import('./profile-page.tsx'),
  },
  {
    path: 'notifications',
    title: () => text.notifications.title,
    icon: BellIcon,
    load: () => import('../notifications/notifications-page.tsx'),
  },
  {
    path: 'inbox',
    title: () => text.pages.work,
    icon: InboxIcon,
    load: () => import('../users/work-page.tsx'),
  },
  {
    path: 'security',
    title: () => text.pages.security,
    icon: ShieldCheckIcon,
    load: () => import('../users/security-page.tsx'),
  },
  {
    path: 'sessions',
    title: () => text.pages.sessions,
    icon: ComputerDesktopIcon,
    load: () => import('../users/sessions-page.tsx'),
  },
  {
    path: 'appearance',
    title: () => text.pages.appearance,
    icon: PaintBrushIcon,
    load: () => import('../users/appearance-page.tsx'),
  },
]
