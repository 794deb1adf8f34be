import type { RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { text } from '../core/text.ts'
import { Icon } from '../shell/icon.tsx'

/**
 * Keeps the scroll position: at the end while the reader is there, or at the same message while older ones
 * load.
 */

const endDistancePx = 60

interface Kept {
  height: number
  first: string | undefined
  last: string | undefined
}

const isAtEnd = (log: HTMLElement): boolean =>
  log.scrollHeight - log.scrollTop - log.clientHeight < endDistancePx

/** `first` and `last` identify the messages at both ends. */
export function useStableScroll(log: RefObject<HTMLElement | null>, first?: string, last?: string) {
  const kept = useRef<Kept>({ height: 0, first, last })
  const sticks = useRef(true)
  const [isAway, setAway] = useState(false)
  useLayoutEffect(() => {
    const element = log.current!
    const { height, first: firstBefore } = kept.current
    if (firstBefore && first !== firstBefore && last === kept.current.last)
      element.scrollTop += element.scrollHeight - height
    else if (sticks.current) element.scrollTop = element.scrollHeight
    kept.current = { height: element.scrollHeight, first, last }
  })
  useLayoutEffect(() => {
    const element = log.current!
    const watcher = new ResizeObserver(() => {
      if (sticks.current) element.scrollTop = element.scrollHeight
    })
    watcher.observe(element)
    if (element.firstElementChild) watcher.observe(element.firstElementChild)
    return () => watcher.disconnect()
  }, [log])
  const onScroll = () => {
    sticks.current = isAtEnd(log.current!)
    setAway(!sticks.current)
  }
  const toEnd = () => {
    sticks.current = true
    log.current!.scrollTo({ top: log.current!.scrollHeight })
  }
  return { onScroll, toEnd, isAway }
}

export const ToEnd = ({ go }: { go: () => void }) => (
  <button type="button" class="to-end" aria-label={text.value.newest} title={text.value.newest} onClick={go}>
    <Icon name="down" />
  </button>
)
