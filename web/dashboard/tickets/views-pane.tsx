import { Link, useNavigate } from '@tanstack/react-router'
import { useAction } from '../core/actions.ts'
import { text } from '../core/text.ts'
import classes from './inbox.module.css'
import { useInboxPlace, useView, useViews } from './inbox.ts'
import type { View } from './views.ts'

/** Which tickets to look at. */
export function ViewsPane() {
  const { built, departments } = useViews()
  return (
    <nav className={classes.views} aria-label={text.inbox.views}>
      <p className={classes.heading}>{text.shell.inbox}</p>
      <ViewList views={built} />
      {departments.length > 0 && <p className={classes.subheading}>{text.inbox.departments}</p>}
      <ViewList views={departments} />
    </nav>
  )
}

const ViewList = ({ views }: { views: View[] }) => (
  <ul className={classes.plain}>
    {views.map(view => (
      <ViewLink key={view.id} view={view} />
    ))}
  </ul>
)

function ViewLink({ view }: { view: View }) {
  const { projectId } = useInboxPlace()
  const navigate = useNavigate()
  const isOpen = useView().id === view.id
  const params = { projectId, view: view.id }
  useAction({
    id: `view ${view.id}`,
    name: view.name,
    group: text.inbox.views,
    keys: view.keys,
    icon: view.icon,
    run: () => navigate({ to: '/p/$projectId/inbox/$view', params }),
  })
  return (
    <li>
      <Link
        to="/p/$projectId/inbox/$view"
        params={params}
        className={classes.view}
        aria-current={isOpen ? 'page' : undefined}
      >
        <view.icon aria-hidden />
        <span>{view.name}</span>
      </Link>
    </li>
  )
}
