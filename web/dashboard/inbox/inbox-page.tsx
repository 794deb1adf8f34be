import { Outlet } from '@tanstack/react-router'
import { Suspense, useEffect, useState } from 'react'
import { firstIdle } from '../core/idle.ts'
import { LazyContent, lazily } from '../core/lazy.tsx'
import { text } from '../core/text.ts'
import { useBlocking } from '../senders/blocking.ts'
import { TagColors, useTagColors } from '../tickets/tag-colors.ts'
import { useTicketDialog } from './dialog-state.ts'
import { useDisplay } from './display.ts'
import classes from './inbox.module.css'
import { useInboxPlace } from './inbox.ts'
import { ListPane } from './list-pane.tsx'
import { loadTicketPage } from './preload.ts'
import { clearSelection } from './selection.ts'
import { ViewsPane } from './views-pane.tsx'

const Dialogs = lazily(() => import('./dialogs/dialogs.tsx'))
const BlockDialog = lazily(() => import('../senders/block-dialog.tsx'))
const PaneDivider = lazily(() => import('../core/pane-divider.tsx'))
const RefusedList = lazily(() => import('./refused-list.tsx'))

/** Whether the dialog has been opened. It loads the texts of the settings pages, which the inbox does not need. */
function useBlockUsed(): boolean {
  const isOpen = useBlocking() !== null
  const [isUsed, setUsed] = useState(isOpen)
  if (isOpen && !isUsed) setUsed(true)
  return isUsed
}

/** Views, list and conversation side by side; one at a time on a phone. */
export default function InboxPage() {
  const { number, view, projectId } = useInboxPlace()
  const { layout } = useDisplay()
  const asked = useTicketDialog()
  const isBlockUsed = useBlockUsed()
  const colors = useTagColors(projectId)
  useEffect(() => clearSelection, [view, projectId])
  useEffect(
    () =>
      void firstIdle()
        .then(loadTicketPage)
        .catch(() => null),
    [],
  )
  return (
    <TagColors value={colors}>
      <div
        className={classes.inbox}
        data-open={number !== undefined || undefined}
        data-table={layout === 'table' || undefined}
      >
        <ViewsPane />
        <LazyContent>
          <PaneDivider pane="views" side="before" />
        </LazyContent>
        <section className={classes.list} aria-label={text.inbox.tickets}>
          <ListPane />
        </section>
        <LazyContent>
          <PaneDivider pane="list" side="before" />
        </LazyContent>
        <div className={classes.open}>
          <Outlet />
        </div>
        <Suspense>{asked && <Dialogs />}</Suspense>
        <LazyContent>
          <RefusedList />
        </LazyContent>
        <Suspense>{isBlockUsed && <BlockDialog />}</Suspense>
      </div>
    </TagColors>
  )
}
