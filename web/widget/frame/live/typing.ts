import { signal } from '@preact/signals'
import { send } from '../core/api.ts'
import { isConnected, tab } from './stream.ts'

/** The operators who are typing, and reports that the visitor is typing. */
export const typingOperators = signal<Record<string, string>>({})

/** The server forgets a typing person after six seconds. */
const typingTimeoutMs = 8_000
const timers = new Map<string, number>()

export function showTyper(ticketId: string, name: string | null): void {
  window.clearTimeout(timers.get(ticketId))
  const { [ticketId]: _, ...others } = typingOperators.peek()
  typingOperators.value = name === null ? others : { ...others, [ticketId]: name }
  if (name !== null)
    timers.set(
      ticketId,
      window.setTimeout(() => showTyper(ticketId, null), typingTimeoutMs),
    )
}

const again = 3_000
const idle = 4_000
let told = 0
let timer: number | undefined
let current: string | null = null

const post = (ticketId: string, is_typing: boolean) =>
  void send('POST', `/tickets/${ticketId}/typing`, { body: { tab, is_typing } }).catch(() => {})

export function noteTyping(ticketId: string): void {
  if (!isConnected.peek()) return
  window.clearTimeout(timer)
  timer = window.setTimeout(stopTyping, idle)
  if (current === ticketId && Date.now() - told < again) return
  told = Date.now()
  current = ticketId
  post(ticketId, true)
}

export function stopTyping(): void {
  if (current && isConnected.peek()) post(current, false)
  forgetTyping()
}

/** Called when the visitor changes. */
export function forgetTyping(): void {
  window.clearTimeout(timer)
  current = null
  told = 0
}
