import { PuzzlePieceIcon } from '@heroicons/react/20/solid'
import { text } from '../core/text.ts'
import type { SettingsPageEntry } from './pages.ts'

const channelPage = {
  title: () => text.pages.customChannels,
  icon: PuzzlePieceIcon,
  minRole: 'admin' as const,
}

/** The settings pages for custom channels. */
export const channelPages: SettingsPageEntry[] = [
  { ...channelPage, path: 'channels', load: () => import('../custom-channels/custom-channels-page.tsx') },
  {
    ...{ ...channelPage, isHidden: true },
    path: 'channels/add',
    load: () => import('../custom-channels/add-custom-channel-page.tsx'),
  },
  {
    ...{ ...channelPage, isHidden: true },
    path: 'channels/$channelId',
    load: () => import('../custom-channels/custom-channel-page.tsx'),
  },
]
