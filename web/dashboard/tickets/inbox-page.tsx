import { Outlet } from '@tanstack/react-router'
import { useEffect } from 'react'
import { text } from '../core/text.ts'
import { TicketDialogs } from './dialogs.tsx'
import classes from './inbox.module.css'
import { useInboxPlace } from './inbox.ts'
import { ListPane } from './list-pane.tsx'
import { clearSelection } from './selection.ts'
import { ViewsPane } from './views-pane.tsx'

/** Views, list and conversation side by side; on a phone one at a time. */
export default function InboxPage() {
  const { number, view, projectId } = useInboxPlace()
  useEffect(() => clearSelection, [view, projectId])
  return (
    <div className={classes.inbox} data-open={number !== undefined || undefined}>
      <ViewsPane />
      <section className={classes.list} aria-label={text.inbox.tickets}>
        <ListPane />
      </section>
      <div className={classes.open}>
        <Outlet />
      </div>
      <TicketDialogs />
    </div>
  )
}
