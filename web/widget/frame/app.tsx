import { useEffect, useRef } from 'preact/hooks'
import { ArticlePage } from './articles/article.tsx'
import { isPage, tell } from './core/bridge.ts'
import { type Place, place } from './core/route.ts'
import { isOpen } from './follow.ts'
import { Home } from './home/home.tsx'
import { Conversation } from './messages/conversation.tsx'
import { config } from './session/config.ts'
import { Announcer } from './shell/announce.tsx'
import { problem } from './shell/problem.ts'
import { Problem } from './shell/problem.tsx'
import { Loading } from './shell/state.tsx'
import { Conversations } from './tickets/list.tsx'

function Screen({ at }: { at: Place }) {
  if (at.name === 'conversation') return <Conversation id={at.id} />
  if (at.name === 'conversations') return <Conversations />
  if (at.name === 'article') return <ArticlePage id={at.id} />
  return <Home />
}

/** Focuses the text field of a view, or else its heading. On touch screens, no field opens the keyboard. */
function focusFirst(root: HTMLElement): void {
  const isTouch = matchMedia('(pointer: coarse)').matches
  const field = isTouch ? null : root.querySelector<HTMLElement>('.composer textarea, .details input')
  const first = field ?? root.querySelector<HTMLElement>('h1')
  first?.focus({ preventScroll: true })
}

function useFirstFocus(root: { current: HTMLElement | null }): void {
  const name = place.value.name
  const isThere = config.value !== null
  useEffect(() => {
    if (isOpen.value && isThere) focusFirst(root.current!)
  }, [isOpen.value, name, isThere, root])
}

/** Opens links of messages and articles outside of the frame. */
function leadOut(event: MouseEvent): void {
  const link = (event.target as Element).closest('a[href]') as HTMLAnchorElement | null
  if (!link) return
  link.target = '_blank'
  link.rel = 'noopener noreferrer'
}

export function App() {
  const root = useRef<HTMLDivElement>(null)
  useFirstFocus(root)
  const at = place.value
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only hears what its parts let through
    <div
      class={isPage ? 'app is-page' : 'app'}
      ref={root}
      onClickCapture={leadOut}
      onKeyDown={event => event.key === 'Escape' && tell({ type: 'close' })}
    >
      {problem.value ? <Problem /> : config.value ? <Screen key={at.name} at={at} /> : <Loading />}
      <Announcer />
    </div>
  )
}
