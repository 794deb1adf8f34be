import { Outlet, useParams } from '@tanstack/react-router'
import { Suspense, useEffect, useRef } from 'react'
import { setAccent } from '../core/accent.ts'
import { LazyContent, lazily } from '../core/lazy.tsx'
import { useSessionLapse } from '../core/session.ts'
import { text } from '../core/text.ts'
import { Live } from '../live/live.tsx'
import { useMe } from '../users/me.ts'
import { CreatingDialogs } from './creating.tsx'
import { useOverlays } from './overlays.ts'
import { Rail } from './rail.tsx'
import classes from './shell.module.css'

const CommandBar = lazily(() => import('./command-bar.tsx'))
const OutageBanners = lazily(() => import('./outage-banner.tsx'))
const KeyList = lazily(() => import('./key-list.tsx'))
const ToastArea = lazily(() => import('../core/toast.tsx'))
const SignInAgain = lazily(() => import('../users/sign-in-again.tsx'))

/** The frame of all pages that need a session: the rail, the page and the overlays. */
export default function Shell() {
  const main = useRef<HTMLElement>(null)
  const lapse = useSessionLapse()
  const { projectId } = useParams({ strict: false })
  useProjectColor()
  useOverlays()
  return (
    <>
      <LazyContent>{projectId && <OutageBanners key={projectId} />}</LazyContent>
      <div className={classes.shell}>
        <button type="button" className={`hidden ${classes.skip}`} onClick={() => main.current?.focus()}>
          {text.shell.skip}
        </button>
        <Rail />
        <main id="main" ref={main} tabIndex={-1} className={classes.main}>
          <Outlet />
        </main>
        <Live />
        <LazyContent>
          <ToastArea place="page" />
        </LazyContent>
        <LazyContent>
          <CommandBar />
          <KeyList />
        </LazyContent>
        {projectId && <CreatingDialogs />}
        <Suspense>{lapse && <SignInAgain lapse={lapse} />}</Suspense>
      </div>
    </>
  )
}

function useProjectColor(): void {
  const { projectId } = useParams({ strict: false })
  const project = useMe().memberships.find(one => one.project.id === projectId)?.project
  const color = project?.color ?? null
  useEffect(() => {
    if (projectId) setAccent(color)
  }, [projectId, color])
}
