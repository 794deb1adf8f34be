import { signal } from '@preact/signals'
import { Failure, readFailure, VisitorChanged } from './failure.ts'

/** Calls of the server, relative to the API of the project. */

/** `/widget/frame/{project_id}` and `/chat/{project_id}` both end with the id. */
export const projectId = location.pathname.split('/').filter(Boolean).at(-1) ?? ''
export const base = `/api/widget/projects/${projectId}`

/** Files and avatars on our server are loaded from the origin of this page, whichever host name it has. */
export function addressOf(url: string): string {
  const { pathname, search } = new URL(url, location.href)
  return pathname.startsWith('/api/') ? pathname + search : url
}

export const token = signal<string | null>(null)

/** Whether the last call reached the server. */
export const isReached = signal(true)

/** Receives a token that the server has rejected. */
type Refused = (token: string | null) => void
const refusals = new Set<Refused>()
export const onRefused = (hear: Refused): void => void refusals.add(hear)
export const refuse: Refused = refused => {
  for (const hear of refusals) hear(refused)
}

interface Call {
  body?: unknown
  signal?: AbortSignal
  /** Continues when the page is left. */
  keepalive?: boolean
  /** Another token than the current visitor's; null sends none. */
  as?: string | null
  /** Not aborted when the visitor leaves, because it contains something they wrote. */
  isWritten?: boolean
}

/** Aborts the calls of the current visitor, whose responses are not for the next one. */
let visit = new AbortController()

/** Without it, a late call would be rejected, which the browser logs in the console of the customer's site. */
export function endVisit(): void {
  visit.abort()
  visit = new AbortController()
}

function headersOf({ body, as = token.peek() }: Call): Record<string, string> {
  return {
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(as && { authorization: `Bearer ${as}` }),
  }
}

async function reach(method: string, path: string, call: Call): Promise<Response> {
  const { body, keepalive, as } = call
  const own = token.peek()
  const until = call.signal ?? (as === undefined && !call.isWritten ? visit.signal : undefined)
  try {
    const answer = await fetch(base + path, {
      method,
      headers: headersOf(call),
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: until,
      keepalive,
      credentials: 'omit',
    })
    isReached.value = answer.status < 502 || answer.status > 504
    if (answer.ok) return answer
    if (answer.status === 401 && as === undefined) refuse(own)
    throw await readFailure(answer)
  } catch (error) {
    if (error instanceof Failure || until?.aborted) throw error
    isReached.value = false
    throw new Failure(0)
  }
}

export function inVisit<T>({ as }: Call, answer: Promise<T>): Promise<T> {
  const own = visit
  return answer.finally(() => {
    if (as !== null && own !== visit) throw new VisitorChanged()
  })
}

export const send = (method: string, path: string, call: Call = {}): Promise<Response> =>
  inVisit(call, reach(method, path, call))

async function read<T>(reached: Promise<Response>): Promise<T> {
  const answer = await reached
  return (answer.status === 204 ? undefined : await answer.json()) as T
}

export const ask = <T>(method: string, path: string, call: Call = {}): Promise<T> =>
  inVisit(call, read<T>(reach(method, path, call)))

export const listen = () => {
  window.addEventListener('online', () => {
    isReached.value = true
  })
  window.addEventListener('offline', () => {
    isReached.value = false
  })
}
