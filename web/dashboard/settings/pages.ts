import {
  ArchiveBoxArrowDownIcon,
  ArrowUpTrayIcon,
  BoltIcon,
  BookOpenIcon,
  BuildingOfficeIcon,
  BuildingStorefrontIcon,
  ChatBubbleBottomCenterTextIcon,
  ChatBubbleLeftRightIcon,
  CircleStackIcon,
  ClipboardDocumentListIcon,
  CreditCardIcon,
  FunnelIcon,
  KeyIcon,
  ListBulletIcon,
  RectangleStackIcon,
  ShieldCheckIcon,
  TagIcon,
  UsersIcon,
} from '@heroicons/react/20/solid'
import type { ListedPage } from '../core/listed-pages.tsx'
import { text } from '../core/text.ts'
import type { Role } from '../projects/project.ts'
import { channelPages } from './channel-pages.ts'
import { emailPages } from './email-pages.ts'
import { telegramPages } from './telegram-pages.ts'

export interface SettingsPageEntry extends ListedPage {
  /** The lowest role that can see it. */
  minRole?: Role
}

/**
 * The pages of a project's settings, in the order of their list. One with a parameter, such as
 * `webhooks/$id`, is `isHidden`.
 */
export const settingsPages: SettingsPageEntry[] = [
  {
    path: 'people',
    title: () => text.pages.people,
    icon: UsersIcon,
    load: () => import('../operators/people-page.tsx'),
  },
  {
    path: 'departments',
    title: () => text.pages.departments,
    icon: BuildingOfficeIcon,
    load: () => import('../departments/departments-page.tsx'),
  },
  {
    path: 'security',
    title: () => text.pages.security,
    icon: ShieldCheckIcon,
    minRole: 'owner',
    load: () => import('../operators/security-page.tsx'),
  },
  {
    path: 'project',
    title: () => text.pages.project,
    icon: BuildingStorefrontIcon,
    minRole: 'admin',
    load: () => import('../projects/settings-page.tsx'),
  },
  {
    path: 'tags',
    title: () => text.pages.tags,
    icon: TagIcon,
    minRole: 'admin',
    load: () => import('../tags/tags-page.tsx'),
  },
  {
    path: 'canned-answers',
    title: () => text.pages.cannedAnswers,
    icon: ChatBubbleBottomCenterTextIcon,
    load: () => import('../canned-answers/canned-answers-page.tsx'),
  },
  {
    path: 'custom-fields',
    title: () => text.pages.customFields,
    icon: RectangleStackIcon,
    minRole: 'admin',
    load: () => import('../custom-fields/custom-fields-page.tsx'),
  },
  {
    path: 'views',
    title: () => text.pages.savedViews,
    icon: FunnelIcon,
    load: () => import('../views/views-page.tsx'),
  },
  {
    path: 'knowledge',
    title: () => text.pages.knowledge,
    icon: BookOpenIcon,
    load: () => import('../knowledge/knowledge-page.tsx'),
  },
  {
    path: 'knowledge/$articleId',
    title: () => text.pages.knowledge,
    icon: BookOpenIcon,
    isHidden: true,
    load: () => import('../knowledge/article-page.tsx'),
  },
  ...emailPages,
  ...telegramPages,
  ...channelPages,
  {
    path: 'widget',
    title: () => text.pages.widget,
    icon: ChatBubbleLeftRightIcon,
    minRole: 'admin',
    load: () => import('../widget/widget-page.tsx'),
  },
  {
    path: 'keys',
    title: () => text.pages.keys,
    icon: KeyIcon,
    minRole: 'admin',
    load: () => import('../keys/keys-page.tsx'),
  },
  {
    path: 'webhooks',
    title: () => text.pages.webhooks,
    icon: BoltIcon,
    minRole: 'admin',
    load: () => import('../webhooks/webhooks-page.tsx'),
  },
  {
    path: 'webhooks/$webhookId',
    title: () => text.pages.webhooks,
    icon: BoltIcon,
    minRole: 'admin',
    isHidden: true,
    load: () => import('../webhooks/webhook-page.tsx'),
  },
  {
    path: 'requests',
    title: () => text.pages.requests,
    icon: ListBulletIcon,
    minRole: 'admin',
    load: () => import('../requests/requests-page.tsx'),
  },
  {
    path: 'files',
    title: () => text.pages.files,
    icon: CircleStackIcon,
    minRole: 'admin',
    load: () => import('../media/files-page.tsx'),
  },
  {
    path: 'audit',
    title: () => text.pages.audit,
    icon: ClipboardDocumentListIcon,
    minRole: 'admin',
    load: () => import('../audit/audit-page.tsx'),
  },
  {
    path: 'billing',
    title: () => text.pages.billing,
    icon: CreditCardIcon,
    minRole: 'owner',
    load: () => import('../billing/billing-page.tsx'),
  },
  {
    path: 'imports',
    title: () => text.pages.imports,
    icon: ArrowUpTrayIcon,
    minRole: 'admin',
    load: () => import('../imports/imports-page.tsx'),
  },
  {
    path: 'export',
    title: () => text.pages.exports,
    icon: ArchiveBoxArrowDownIcon,
    minRole: 'owner',
    load: () => import('../exports/export-page.tsx'),
  },
]
