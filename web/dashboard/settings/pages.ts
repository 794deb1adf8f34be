import { UsersIcon } from '@heroicons/react/20/solid'
import type { ListedPage } from '../core/listed-pages.tsx'
import { text } from '../core/text.ts'
import type { Role } from '../projects/project.ts'

export interface SettingsPage extends ListedPage {
  /** The least role that sees it. */
  may?: Role
}

/** The pages of a project's settings, in the order of their list. One with a parameter, such as `webhooks/$id`, is `isHidden`. */
export const settingsPages: SettingsPage[] = [
  {
    path: 'people',
    title: () => text.people.title,
    icon: UsersIcon,
    load: () => import('../operators/people-page.tsx'),
  },
]
