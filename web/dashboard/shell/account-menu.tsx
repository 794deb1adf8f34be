import {
  ArrowRightStartOnRectangleIcon,
  CommandLineIcon,
  QuestionMarkCircleIcon,
  UserCircleIcon,
} from '@heroicons/react/20/solid'
import { type FloatingPosition, Menu, Text, UnstyledButton, useMatches } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useAction } from '../core/actions.ts'
import { Avatar } from '../core/avatar.tsx'
import { asFailure } from '../core/failure.ts'
import { lazily } from '../core/lazy.tsx'
import { showFailure } from '../core/notice.ts'
import { text } from '../core/text.ts'
import people from '../operators/people.module.css'
import { StatusItems, useOwnStatus } from '../operators/status-items.tsx'
import { useMe } from '../users/me.ts'
import { useOpenProject } from './open-project.ts'
import { commands, keyList } from './overlays.ts'

/** The version of the server that built this page. */
declare const __VERSION__: string

const StatusDialog = lazily(() => import('../operators/status-dialog.tsx'))

async function signOut(): Promise<void> {
  const { leave } = await import('../users/auth.ts')
  await leave().catch(thrown => showFailure(asFailure(thrown)))
}

/** The menu of one's own account: settings, the list of keys, and signing out. */
export function AccountMenu() {
  const { name, email, image } = useMe().user
  const position = useMatches<FloatingPosition>({ base: 'top-end', sm: 'right-end' })
  const open = useOpenProject()
  const { own, choose } = useOwnStatus(open?.project.id ?? '', open?.operator_id ?? '')
  const [isCustom, setCustom] = useState(false)
  useAction({
    id: 'sign out',
    name: text.shell.signOut,
    icon: ArrowRightStartOnRectangleIcon,
    run: () => void signOut(),
  })
  return (
    <Menu position={position} width={230}>
      <Menu.Target>
        <UnstyledButton style={{ borderRadius: '50%' }} className={people.face}>
          <Avatar name={name} src={image} />
          {own && <span className={people.status} data-status={own.status} aria-hidden />}
          <span className="hidden">{`${name}: ${text.shell.me}`}</span>
        </UnstyledButton>
      </Menu.Target>
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
        {open && <StatusItems own={own} onChoose={choose} onCustom={() => setCustom(true)} />}
        <Menu.Divider />
        <Menu.Item
          leftSection={<UserCircleIcon width={18} />}
          renderRoot={props => <Link to="/account" {...props} />}
        >
          {text.shell.account}
        </Menu.Item>
        <Help />
        <Menu.Divider />
        <Menu.Item leftSection={<ArrowRightStartOnRectangleIcon width={18} />} onClick={() => void signOut()}>
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
    <Menu.Item leftSection={<CommandLineIcon width={18} />} onClick={() => commands.open()}>
      {text.shell.commands}
    </Menu.Item>
    <Menu.Item leftSection={<QuestionMarkCircleIcon width={18} />} onClick={() => keyList.set(true)}>
      {text.shell.keys}
    </Menu.Item>
  </>
)
