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
  /** The first frame that fits, of those to come too. */
  until(fits: (frame: Frame) => unknown, seconds?: number): Promise<Frame>
  ended: Promise<void>
  close(): void
}

function readFrame(text: string): Frame | null {
  const fields = new Map(text.split('\n').map(line => line.split(/: (.*)/s).slice(0, 2) as [string, string]))
  const [event, data, id] = [fields.get('event'), fields.get('data'), fields.get('id')]
  return event ? { event, id: id === undefined ? null : Number(id), data: JSON.parse(data!) } : null
}

/** Takes whole frames off the text, and leaves the rest. */
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

interface Options {
  tab?: string
  query?: string
  headers?: Record<string, string>
}

/** Opens the stream of a project at the server of this address, as EventSource does. */
export async function openTab(
  origin: string,
  { cookies }: Pick<Browser, 'cookies'>,
  project: Member,
  { tab = newId(), query = '', headers = {} }: Options = {},
): Promise<Tab> {
  const leaving = new AbortController()
  const cookie = [...cookies].map(pair => pair.join('=')).join('; ')
  const response = await fetch(`${origin}/api/dashboard/projects/${project.id}/live?tab=${tab}${query}`, {
    headers: { cookie, ...headers },
    signal: leaving.signal,
  })
  const frames: Frame[] = []
  const waiting = new Set<() => void>()
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
  const notify = () => {
    for (const one of waiting) one()
  }
  const found = (frame: Frame) => {
    frames.push(frame)
    notify()
  }
  let isOver = !isStream
  const ended = (isStream ? readAll(response.body!, found) : response.body!.cancel())
    .catch(() => {})
    .then(() => {
      isOver = true
      notify()
    })
  async function until(fits: (frame: Frame) => unknown, seconds = 10): Promise<Frame> {
    const late = AbortSignal.timeout(seconds * 1_000)
    late.addEventListener('abort', notify)
    for (let at = 0; ; at++) {
      while (at >= frames.length) {
        assert.ok(!isOver && !late.aborted, `no frame fits ${fits}: ${JSON.stringify(frames)}`)
        const { promise, resolve } = Promise.withResolvers<void>()
        waiting.add(resolve)
        await promise
        waiting.delete(resolve)
      }
      if (fits(frames[at]!)) return frames[at]!
    }
  }
  return {
    tab,
    status: response.status,
    headers: response.headers,
    frames,
    until,
    ended,
    close: () => leaving.abort(),
  }
}

export const isReady = ({ event }: Frame): boolean => event === 'ready'

export const logOf = ({ frames }: Tab): Frame[] => frames.filter(({ event }) => event === 'log')
