import { BuildingOffice2Icon, Cog6ToothIcon, InboxIcon, UserGroupIcon } from '@heroicons/react/20/solid'
import { Link, useNavigate } from '@tanstack/react-router'
import { useAction } from '../core/actions.ts'
import type { Icon } from '../core/icon.ts'
import { LazyContent, lazily } from '../core/lazy.tsx'
import { LazyTarget } from '../core/lazy-target.tsx'
import { text } from '../core/text.ts'
import { useOpenProject } from '../users/open-project.ts'
import { AccountMenu } from './account-menu.tsx'
import { ProjectMenu } from './project-menu.tsx'
import classes from './shell.module.css'

const ProgressItem = lazily(() => import('../first-steps/progress-item.tsx'))
const loadTooltip = () => import('./place-tooltip.tsx')

interface Place {
  path: string
  name(): string
  icon: Icon
  keys: string
}

/** The parts of a project, in the order of the rail. */
const places: Place[] = [
  { path: 'inbox', name: () => text.shell.inbox, icon: InboxIcon, keys: 'g i' },
  { path: 'contacts', name: () => text.shell.contacts, icon: UserGroupIcon, keys: 'g c' },
  {
    path: 'organizations',
    name: () => text.shell.organizations,
    icon: BuildingOffice2Icon,
    keys: 'g o',
  },
  { path: 'settings', name: () => text.shell.settings, icon: Cog6ToothIcon, keys: 'g s' },
]

export function Rail() {
  const open = useOpenProject()
  return (
    <nav className={classes.rail} aria-label={text.shell.main}>
      <ProjectMenu />
      <div className={classes.places}>
        {open &&
          places.map(place => <PlaceLink key={place.path} place={place} projectId={open.project.id} />)}
      </div>
      <LazyContent>{open && <ProgressItem key={open.project.id} />}</LazyContent>
      <AccountMenu />
    </nav>
  )
}

function PlaceLink({ place, projectId }: { place: Place; projectId: string }) {
  const navigate = useNavigate()
  const to = `/p/${projectId}/${place.path}`
  const name = place.name()
  useAction({
    id: `go ${place.path}`,
    name,
    group: text.shell.go,
    keys: place.keys,
    icon: place.icon,
    run: () => navigate({ to }),
  })
  return (
    <LazyTarget
      load={loadTooltip}
      props={{ label: name }}
      target={() => (
        <Link to={to} className={classes.place} aria-label={name}>
          <place.icon aria-hidden />
          <span className={classes.label} aria-hidden>
            {name}
          </span>
        </Link>
      )}
    />
  )
}
