import { computed, signal } from '@preact/signals'
import { isReached, send, token } from '../core/api.ts'
import { asFailure } from '../core/failure.ts'
import { newId } from '../core/id.ts'

/** The id of this tab, for the lifetime of its page. */
export const tab = newId()

export interface StreamFrame {
  event: string
  id: string
  data: string
}

/** Splits the received text into frames, and returns the incomplete rest. */
export function readFrames(text: string): { frames: StreamFrame[]; rest: string } {
  const parts = text.replaceAll('\r\n', '\n').split('\n\n')
  const rest = parts.pop()!
  return { frames: parts.map(readFrame).filter(({ data, event }) => data || event), rest }
}

function readFrame(part: string): StreamFrame {
  const frame: StreamFrame = { event: '', id: '', data: '' }
  for (const line of part.split('\n')) {
    const [, name, value = ''] = /^(\w+)(?:: ?(.*))?$/.exec(line) ?? []
    if (name === 'event' || name === 'id') frame[name] = value
    else if (name === 'data') frame.data += frame.data ? `\n${value}` : value
  }
  return frame
}

const first = 1_000
const maxRetryDelayMs = 30_000
/** A connection without data for longer than two heartbeats is dead. */
const silence = 50_000

interface Line {
  abort: AbortController
  wake: () => void
}

let line: Line | null = null
let last = ''

/** The active connection. Presence reported before it exists would not find the tab on the server. */
const activeLine = signal<Line | null>(null)
export const isConnected = computed(() => activeLine.value !== null)

/** How far the server's clock is ahead. A visitor's clock may be an hour off. */
let ahead = 0
export const serverNow = (): number => Date.now() + ahead

/** Reads one response to its end. */
async function readLine(own: Line, hear: (frame: StreamFrame) => void): Promise<void> {
  const { abort } = own
  const after = last ? `&after=${last}` : ''
  const answer = await send('GET', `/stream?tab=${tab}${after}`, { signal: abort.signal })
  const date = Date.parse(answer.headers.get('date') ?? '')
  ahead = Number.isNaN(date) ? 0 : date - Date.now()
  activeLine.value = own
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  let timer = 0
  try {
    for (;;) {
      window.clearTimeout(timer)
      timer = window.setTimeout(() => void reader.cancel(), silence)
      const { value, done } = await reader.read()
      if (done || abort.signal.aborted) return
      const read = readFrames(rest + value)
      rest = read.rest
      for (const frame of read.frames) {
        if (frame.id) last = frame.id
        hear(frame)
      }
      if (read.frames.some(({ event }) => event === 'end')) await reader.cancel()
    }
  } finally {
    window.clearTimeout(timer)
    if (activeLine.peek() === own) activeLine.value = null
  }
}

const sleep = (ms: number, own: Line): Promise<void> =>
  new Promise(resolve => {
    const timer = window.setTimeout(resolve, ms)
    own.wake = () => {
      window.clearTimeout(timer)
      resolve()
    }
  })

/** Listens until it is stopped, and reconnects where it left off; starts at `from`, or now. */
export async function openStream(
  hear: (frame: StreamFrame) => void,
  from: number | undefined,
): Promise<void> {
  if (line) return
  last ||= String(from ?? '')
  const own: Line = { abort: new AbortController(), wake: () => {} }
  line = own
  let pause = first
  while (line === own && token.peek()) {
    const begun = Date.now()
    try {
      await readLine(own, hear)
    } catch (error) {
      if (own.abort.signal.aborted) return
      const failure = asFailure(error)
      if (failure.status === 0) isReached.value = false
      pause = Math.max(pause, failure.retryAfter * 1_000)
    }
    if (Date.now() - begun > 10_000) pause = first
    // A random delay, so that not all reconnect at once after a restart of the server.
    if (line === own) await sleep(pause * (0.5 + Math.random()), own)
    pause = Math.min(pause * 2, maxRetryDelayMs)
  }
}

/** Makes the next attempt at once. */
export const wake = (): void => line?.wake()

export function stop(mustForget: boolean): void {
  line?.abort.abort()
  line?.wake()
  line = null
  activeLine.value = null
  if (mustForget) last = ''
}
