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

/** A tab of the dashboard that listens. */
export interface Tab {
  tab: string
  status: number
  headers: Headers
  /** What it was told so far; of an answer that is no stream, nothing. */
  frames: Frame[]
  /** What `look` finds, which is asked at each frame; fails after so many seconds. */
  until<T>(look: () => T, seconds?: number): Promise<NonNullable<T>>
  ended: Promise<void>
  close(): void
}

function readFrame(text: string): Frame | null {
  const fields = new Map(text.split('\n').map(line => line.split(/: (.*)/s).slice(0, 2) as [string, string]))
  const [event, data, id] = [fields.get('event'), fields.get('data'), fields.get('id')]
  return event ? { event, id: id === undefined ? null : Number(id), data: JSON.parse(data!) } : null
}

/** Takes whole frames off the text, and answers what is left. */
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

/** Wakes those who wait for the next frame, or for the end. */
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

/** Opens the stream of a project at the server of this address, as EventSource does. */
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
    .catch(() => {})
    .then(() => {
      isOver = true
      wake()
    })
  async function until<T>(look: () => T, seconds = 30): Promise<NonNullable<T>> {
    const late = AbortSignal.timeout(seconds * 1_000)
    late.addEventListener('abort', wake)
    for (;;) {
      const found = look()
      if (found) return found
      const told = `of ${frames.length} frames the last are ${JSON.stringify(frames.slice(-4))}`
      assert.ok(!isOver && !late.aborted, `Not found: ${look}; ${told}`)
      await next()
    }
  }
  const { status, headers: answered } = response
  return { tab, status, headers: answered, frames, until, ended, close: () => leaving.abort() }
}

/** The first frame of the event that fits, of those to come too. */
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

/** Waits until what the tab was told last of who is there fits. */
export const untilPresence = (tab: Tab, fits: (presence: Presence) => unknown, seconds?: number) =>
  tab.until(() => {
    const last = tab.frames.findLast(({ event }) => event === 'presence')
    return last && fits(last.data) ? (last.data as Presence) : null
  }, seconds)

export const logOf = ({ frames }: Tab): Frame[] => frames.filter(({ event }) => event === 'log')
