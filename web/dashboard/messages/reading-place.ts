import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Message } from './queries.ts'

/** Within this distance, the reader counts as being at the end. */
const endDistancePx = 48

export const scrollToMessage = (id: string): void =>
  document.getElementById(`message-${id}`)?.scrollIntoView({ block: 'center' })

/**
 * Keeps the scroll position: at the end it follows the conversation, elsewhere it stays and counts new messages. It
 * starts at the message that a search has found.
 */
export function useReadingPlace(messages: Message[] | undefined, foundId?: string) {
  const box = useRef<HTMLElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  const seen = useRef<string | undefined>(undefined)
  const before = useRef({ first: undefined as string | undefined, height: 0 })
  const shown = useRef<string | undefined>(undefined)
  const [fresh, setFresh] = useState(0)

  const goDown = useCallback(() => {
    const { current } = box
    if (current) current.scrollTop = current.scrollHeight
    setFresh(0)
  }, [])

  const onScroll = () => {
    const { scrollHeight, scrollTop, clientHeight } = box.current!
    isAtEnd.current = scrollHeight - scrollTop - clientHeight < endDistancePx
    if (isAtEnd.current) setFresh(0)
  }

  useLayoutEffect(() => {
    const { current } = box
    if (!current || !messages?.length) return
    const first = messages[0]!.id
    const isLonger = before.current.first !== undefined && before.current.first !== first
    if (foundId && shown.current !== foundId && messages.some(({ id }) => id === foundId)) {
      shown.current = foundId
      scrollToMessage(foundId)
      onScroll()
    } else if (isAtEnd.current) goDown()
    else if (isLonger) current.scrollTop += current.scrollHeight - before.current.height
    else {
      const known = messages.findIndex(({ id }) => id === seen.current)
      if (known >= 0 && known < messages.length - 1) setFresh(count => count + messages.length - 1 - known)
    }
    seen.current = messages.at(-1)!.id
    before.current = { first, height: current.scrollHeight }
  }, [messages, foundId, goDown])

  // Images load after their messages, and the composer grows.
  useEffect(() => {
    const watch = new ResizeObserver(() => isAtEnd.current && goDown())
    watch.observe(content.current!)
    watch.observe(box.current!)
    return () => watch.disconnect()
  }, [goDown])

  return { box, content, fresh, onScroll, goDown }
}
