import {
  type ComponentType,
  type ReactElement,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { persist, useIdle } from './lazy.tsx'

/** Renders the target, with these props on its button. */
type RenderTarget = (props: TargetProps) => ReactElement

export interface TargetProps {
  onClick?(): void
}

/** The props of a component that adds a menu or a tooltip to a target. */
export interface LoadedProps {
  target: RenderTarget
  /** Whether the target was clicked before the component was loaded. */
  isOpenAtFirst: boolean
}

interface Props<Own> {
  load(): Promise<{ default: ComponentType<Own & LoadedProps> }>
  target: RenderTarget
  props: Own
}

/** A button whose menu, or a link whose tooltip, is loaded when the page is idle or at the first click. */
export function LazyTarget<Own>({ load, target, props }: Props<Own>) {
  const [isAsked, setAsked] = useState(false)
  const box = useRef<HTMLSpanElement>(null)
  const Loaded = useLoaded(load, useIdle() || isAsked, box)
  return (
    <span ref={box} style={{ display: 'contents' }}>
      {Loaded ? (
        <Loaded {...props} target={target} isOpenAtFirst={isAsked} />
      ) : (
        target({ onClick: () => setAsked(true) })
      )}
    </span>
  )
}

/** A click would be lost if its button were replaced between the press and the release. */
async function untilReleased(box: RefObject<HTMLElement | null>): Promise<void> {
  while (box.current?.querySelector(':active')) await new Promise(resolve => requestAnimationFrame(resolve))
}

/** The component, once it is loaded. It replaces the button or link, which may have the focus. */
function useLoaded<T>(
  load: () => Promise<{ default: T }>,
  isWanted: boolean,
  box: RefObject<HTMLElement | null>,
): T | null {
  const [loaded, setLoaded] = useState<{ value: T; hadFocus: boolean } | null>(null)
  useEffect(() => {
    if (!isWanted) return
    void persist(load).then(async ({ default: value }) => {
      await untilReleased(box)
      const hadFocus = box.current?.contains(document.activeElement) ?? false
      // Synchronously, because the button may be pressed again before the next render.
      flushSync(() => setLoaded({ value, hadFocus }))
    })
  }, [load, isWanted, box])
  useLayoutEffect(() => {
    if (loaded?.hadFocus) box.current?.querySelector<HTMLElement>('a, button')?.focus()
  }, [loaded, box])
  return loaded?.value ?? null
}
