import { ArrowRightStartOnRectangleIcon } from '@heroicons/react/20/solid'
import { UnstyledButton } from '@mantine/core'
import { useAction } from '../core/actions.ts'
import { Avatar } from '../core/avatar.tsx'
import { asFailure } from '../core/failure.ts'
import { LazyTarget } from '../core/lazy-target.tsx'
import { showFailure } from '../core/notice.ts'
import { text } from '../core/text.ts'
import { useOwnStatus } from '../operators/own-status.ts'
import people from '../operators/people.module.css'
import { useMe } from '../users/me.ts'
import { useOpenProject } from '../users/open-project.ts'

const loadDropdown = () => import('./account-dropdown.tsx')

async function signOut(): Promise<void> {
  const [{ leave }, { forgetRecent }] = await Promise.all([import('../users/auth.ts'), import('./recent.ts')])
  forgetRecent()
  await leave().catch(thrown => showFailure(asFailure(thrown)))
}

/** The menu of one's own account: settings, the list of keys, and signing out. */
export function AccountMenu() {
  const { name, image } = useMe().user
  const open = useOpenProject()
  const status = useOwnStatus(open?.project.id ?? '', open?.operator_id ?? '')
  const { own } = status
  useAction({
    id: 'sign out',
    name: text.shell.signOut,
    icon: ArrowRightStartOnRectangleIcon,
    run: () => void signOut(),
  })
  return (
    <LazyTarget
      load={loadDropdown}
      props={{ ...status, hasProject: open !== undefined, signOut: () => void signOut() }}
      target={props => (
        <UnstyledButton {...props} style={{ borderRadius: '50%' }} className={people.face}>
          <Avatar name={name} src={image} />
          {own && <span className={people.status} data-status={own.status} aria-hidden />}
          <span className="hidden">{`${name}: ${text.shell.me}`}</span>
        </UnstyledButton>
      )}
    />
  )
}
