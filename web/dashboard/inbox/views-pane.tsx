import { ExclamationTriangleIcon } from '@heroicons/react/20/solid'
import { useRouter } from '@tanstack/react-router'
import { memo } from 'react'
import { useAction } from '../core/actions.ts'
import { printNumber } from '../core/format.ts'
import { Go } from '../core/go.tsx'
import { text } from '../core/text.ts'
import classes from './inbox.module.css'
import { useInboxPlace, useViews } from './inbox.ts'
import { iconOf, keysOf, nameOfView, type View } from './views.ts'

/** The list of views with their counts. */
export function ViewsPane() {
  const views = useViews()
  const of = (...kinds: View['kind'][]) => views.filter(({ kind }) => kinds.includes(kind))
  const departments = of('department')
  const saved = of('saved')
  return (
    <nav className={classes.views} aria-label={text.inbox.views}>
      <p className={classes.heading}>{text.shell.inbox}</p>
      <ViewList views={of('mine', 'unassigned', 'mentions', 'open', 'snoozed', 'closed', 'all', 'spam')} />
      {departments.length > 0 && <p className={classes.subheading}>{text.inbox.departments}</p>}
      <ViewList views={departments} />
      {saved.length > 0 && <p className={classes.subheading}>{text.inbox.saved}</p>}
      <ViewList views={saved} />
    </nav>
  )
}

function ViewList({ views }: { views: View[] }) {
  const { projectId, view: open } = useInboxPlace()
  return (
    <ul className={classes.plain}>
      {views.map(view => (
        <ViewLink key={view.id} projectId={projectId} view={view} isOpen={view.id === open} />
      ))}
    </ul>
  )
}

interface LinkProps {
  projectId: string
  view: View
  isOpen: boolean
}

const ViewLink = memo(function ViewLink({ projectId, view, isOpen }: LinkProps) {
  const router = useRouter()
  const to = `/p/${projectId}/inbox/${view.id}`
  const Sign = iconOf(view)
  useAction({
    id: `view ${view.id}`,
    name: nameOfView(view),
    group: text.inbox.views,
    keys: keysOf(view),
    icon: Sign,
    run: () => router.navigate({ to }),
  })
  return (
    <li>
      <Go to={to} className={classes.view} aria-current={isOpen ? 'page' : undefined}>
        <Sign aria-hidden />
        <span>{nameOfView(view)}</span>
        {view.problems.length > 0 && <Attention />}
        <Count view={view} />
      </Go>
    </li>
  )
})

const Attention = () => (
  <span className={classes.attention} title={text.inbox.attention}>
    <ExclamationTriangleIcon aria-hidden />
    <span className="hidden">{text.inbox.attention}</span>
  </span>
)

/** Tickets in these views do not wait for anybody. */
const uncounted: View['kind'][] = ['closed', 'all', 'spam']

function Count({ view: { kind, count, is_capped } }: { view: View }) {
  if (!count || uncounted.includes(kind)) return null
  const words = is_capped
    ? text.inbox.manyCounted(printNumber(count))
    : text.inbox.counted(count, printNumber(count))
  return (
    <span className={classes.count}>
      <span aria-hidden>
        {printNumber(count)}
        {is_capped && '+'}
      </span>
      <span className="hidden">{words}</span>
    </span>
  )
}
