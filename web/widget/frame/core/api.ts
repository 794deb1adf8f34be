import { signal } from '@preact/signals'
import { Failure, readFailure } from './failure.ts'

/** Calls of the server: ours, below the address of the project. */

/** `/widget/frame/{project_id}` and `/chat/{project_id}` both end in it. */
export const projectId = location.pathname.split('/').filter(Boolean).at(-1) ?? ''
export const base = `/api/widget/projects/${projectId}`

/** Files and faces that lie with us are fetched from where this page came from, by whatever name that goes. */
export function addressOf(url: string): string {
  const { pathname, search } = new URL(url, location.href)
  return pathname.startsWith('/api/') ? pathname + search : url
}

export const token = signal<string | null>(null)

/** Whether the last call reached the server. */
export const isReached = signal(true)

interface Call {
  body?: unknown
  /** The same key twice is answered once. */
  key?: string
  signal?: AbortSignal
  /** Goes on when the page is left. */
  keepalive?: boolean
  as?: string | null
}

function headersOf({ body, key, as = token.peek() }: Call): Record<string, string> {
  return {
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(as && { authorization: `Bearer ${as}` }),
    ...(key && { 'idempotency-key': key }),
  }
}

export async function send(method: string, path: string, call: Call = {}): Promise<Response> {
  const { body, signal: until, keepalive } = call
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
    throw await readFailure(answer)
  } catch (error) {
    if (error instanceof Failure || until?.aborted) throw error
    isReached.value = false
    throw new Failure(0)
  }
}

export async function ask<T>(method: string, path: string, call?: Call): Promise<T> {
  const answer = await send(method, path, call)
  return (answer.status === 204 ? undefined : await answer.json()) as T
}

export const listen = () => {
  window.addEventListener('online', () => {
    isReached.value = true
  })
  window.addEventListener('offline', () => {
    isReached.value = false
  })
}
