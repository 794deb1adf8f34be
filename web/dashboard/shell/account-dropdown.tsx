import {
  ArrowRightStartOnRectangleIcon,
  CommandLineIcon,
  QuestionMarkCircleIcon,
  UserCircleIcon,
} from '@heroicons/react/20/solid'
import { type FloatingPosition, Menu, Text, useMatches } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { lazily } from '../core/lazy.tsx'
import type { LoadedProps } from '../core/lazy-target.tsx'
import { text } from '../core/text.ts'
import type { useOwnStatus } from '../operators/own-status.ts'
import { StatusItems } from '../operators/status-items.tsx'
import { useMe } from '../users/me.ts'
import { keyList, openCommands } from './overlays.ts'

/** The version of the server that built this page. */
declare const __VERSION__: string

const StatusDialog = lazily(() => import('../operators/status-dialog.tsx'))

interface Props extends LoadedProps, ReturnType<typeof useOwnStatus> {
  hasProject: boolean
  signOut(): void
}

/** The items of the menu of one's own account. */
export default function AccountDropdown({ hasProject, own, choose, signOut, target, isOpenAtFirst }: Props) {
  const { name, email } = useMe().user
  const position = useMatches<FloatingPosition>({ base: 'top-end', sm: 'right-end' })
  const [isCustom, setCustom] = useState(false)
  return (
    <Menu position={position} width={230} defaultOpened={isOpenAtFirst}>
      <Menu.Target>{target({})}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Label fz="md">
          <Text span fw={600} c="var(--mantine-color-text)" display="block" truncate>
            {name}
          </Text>
          <Text span size="sm" display="block" truncate>
            {email}
          </Text>
        </Menu.Label>
        <Menu.Divider />
        {hasProject && <StatusItems own={own} onChoose={choose} onCustom={() => setCustom(true)} />}
        <Menu.Divider />
        <Menu.Item
          leftSection={<UserCircleIcon width={18} />}
          renderRoot={props => <Link to="/account" {...props} />}
        >
          {text.shell.account}
        </Menu.Item>
        <Help />
        <Menu.Divider />
        <Menu.Item leftSection={<ArrowRightStartOnRectangleIcon width={18} />} onClick={signOut}>
          {text.shell.signOut}
        </Menu.Item>
        <Menu.Label>{text.shell.version(__VERSION__)}</Menu.Label>
      </Menu.Dropdown>
      <Suspense>
        {isCustom && <StatusDialog own={own} onChoose={choose} onClose={() => setCustom(false)} />}
      </Suspense>
    </Menu>
  )
}

const Help = () => (
  <>
    <Menu.Item leftSection={<CommandLineIcon width={18} />} onClick={openCommands}>
      {text.shell.commands}
    </Menu.Item>
    <Menu.Item leftSection={<QuestionMarkCircleIcon width={18} />} onClick={() => keyList.set(true)}>
      {text.shell.keys}
    </Menu.Item>
  </>
)
