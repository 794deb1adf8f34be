import { Outlet } from '@tanstack/react-router'
import { Suspense, useEffect } from 'react'
import { LazyContent, lazily } from '../core/lazy.tsx'
import { text } from '../core/text.ts'
import { useTicketDialog } from './dialog-state.ts'
import classes from './inbox.module.css'
import { useInboxPlace } from './inbox.ts'
import { ListPane } from './list-pane.tsx'
import { clearSelection } from './selection.ts'
import { TagColors, useTagColors } from './tag-colors.ts'
import { ViewsPane } from './views-pane.tsx'

const Dialogs = lazily(() => import('./dialogs/dialogs.tsx'))
const BlockDialog = lazily(() => import('../senders/block-dialog.tsx'))
const RefusedList = lazily(() => import('./refused-list.tsx'))

/** Views, list and conversation side by side; one at a time on a phone. */
export default function InboxPage() {
  const { number, view, projectId } = useInboxPlace()
  const asked = useTicketDialog()
  const colors = useTagColors(projectId)
  useEffect(() => clearSelection, [view, projectId])
  return (
    <TagColors value={colors}>
      <div className={classes.inbox} data-open={number !== undefined || undefined}>
        <ViewsPane />
        <section className={classes.list} aria-label={text.inbox.tickets}>
          <ListPane />
        </section>
        <div className={classes.open}>
          <Outlet />
        </div>
        <Suspense>{asked && <Dialogs />}</Suspense>
        <LazyContent>
          <RefusedList />
          <BlockDialog />
        </LazyContent>
      </div>
    </TagColors>
  )
}
