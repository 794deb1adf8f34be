import assert from 'node:assert/strict'
import { newId } from '../src/core/ids.ts'
import type { Member } from './cast.ts'
import type { Browser } from './operator.ts'

export interface Frame {
  event: string
  id: number | null
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects to be there
  data: any
}

/** A tab of the dashboard that listens to events. */
export interface Tab {
  tab: string
  status: number
  headers: Headers
  /** The frames received so far; empty if the response is not a stream. */
  frames: Frame[]
  /** Calls `look` at each frame, and returns its first result. Fails after this many seconds. */
  until<T>(look: () => T, seconds?: number): Promise<NonNullable<T>>
  /** Whether the stream had a proper end: neither side has cut it off. */
  ended: Promise<boolean>
  close(): void
}

function readFrame(text: string): Frame | null {
  const fields = new Map(text.split('\n').map(line => line.split(/: (.*)/s).slice(0, 2) as [string, string]))
  const [event, data, id] = [fields.get('event'), fields.get('data'), fields.get('id')]
  return event ? { event, id: id === undefined ? null : Number(id), data: JSON.parse(data!) } : null
}

/** Parses the complete frames, and returns the remaining text. */
function takeFrames(text: string, found: (frame: Frame) => void): string {
  const parts = text.split('\n\n')
  for (const part of parts.slice(0, -1)) {
    const frame = readFrame(part)
    if (frame) found(frame)
  }
  return parts.at(-1)!
}

async function readAll(body: ReadableStream<Uint8Array>, found: (frame: Frame) => void): Promise<void> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of body) rest = takeFrames(rest + decoder.decode(chunk, { stream: true }), found)
}

/** Wakes everything that waits for the next frame, or for the end. */
function createWaiting() {
  let next = Promise.withResolvers<void>()
  const wake = () => {
    next.resolve()
    next = Promise.withResolvers()
  }
  return { wake, next: () => next.promise }
}

interface Options {
  tab?: string
  query?: string
  headers?: Record<string, string>
}

export const cookieOf = ({ cookies }: Pick<Browser, 'cookies'>): string =>
  [...cookies].map(pair => pair.join('=')).join('; ')

/** Opens the stream of a project on this server, as EventSource does. */
export async function openTab(
  origin: string,
  person: Pick<Browser, 'cookies'>,
  project: Pick<Member, 'id'>,
  { tab = newId(), query = '', headers = {} }: Options = {},
): Promise<Tab> {
  const address = `${origin}/api/dashboard/projects/${project.id}/live?tab=${tab}${query}`
  return listenTo(tab, address, { cookie: cookieOf(person), ...headers })
}

/** Reads server-sent events from any address. */
export async function listenTo(tab: string, address: string, headers: Record<string, string>): Promise<Tab> {
  const leaving = new AbortController()
  const response = await fetch(address, { headers, signal: leaving.signal })
  const frames: Frame[] = []
  const { wake, next } = createWaiting()
  let isOver = response.status !== 200
  const reading = isOver
    ? response.body!.cancel()
    : readAll(response.body!, frame => {
        frames.push(frame)
        wake()
      })
  const ended = reading
    .then(
      () => true,
      () => false,
    )
    .finally(() => {
      isOver = true
      wake()
    })
  async function until<T>(look: () => T, seconds = 30): Promise<NonNullable<T>> {
    const late = AbortSignal.timeout(seconds * 1_000)
    late.addEventListener('abort', wake)
    for (;;) {
      const found = look()
      if (found) return found
      const context = `of ${frames.length} frames the last are ${JSON.stringify(frames.slice(-4))}`
      assert.ok(!isOver && !late.aborted, `Not found: ${look}; ${context}`)
      await next()
    }
  }
  const { status, headers: answered } = response
  return { tab, status, headers: answered, frames, until, ended, close: () => leaving.abort() }
}

/** Waits for the first frame of this event that matches, including earlier ones. */
export const untilFrame = (tab: Tab, event: string, fits: (frame: Frame) => unknown = () => true) =>
  tab.until(() => tab.frames.find(frame => frame.event === event && fits(frame)))

export interface Sight {
  operator_id: string
  ticket_id: string
  is_typing: boolean
  is_internal: boolean
}

export interface Presence {
  operators: {
    operator_id: string
    status: string
    status_text: string | null
    status_emoji: string | null
  }[]
  tickets: Sight[]
  sending: { ticket_id: string; operator_id: string }[]
  visitors: { ticket_id: string; is_watching: boolean; is_typing: boolean }[]
  reads: { ticket_id: string; read_at: string }[]
}

/** Waits until the newest presence frame matches. */
export const untilPresence = (tab: Tab, fits: (presence: Presence) => unknown, seconds?: number) =>
  tab.until(() => {
    const last = tab.frames.findLast(({ event }) => event === 'presence')
    return last && fits(last.data) ? (last.data as Presence) : null
  }, seconds)

export const logOf = ({ frames }: Tab): Frame[] => frames.filter(({ event }) => event === 'log')
