import assert from 'node:assert/strict'
import { type Answer, createClient, type Options } from './client.ts'
import { startServer, type TestServer } from './server.ts'

/** A person with a browser and without a key. */
export interface Visitor {
  get(path: string, options?: Options): Promise<Answer>
  head(path: string, options?: Options): Promise<Answer>
  /** Sends a form. */
  send(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<Answer>
}

const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/150.0' }

export function visit(server: TestServer): Visitor {
  const client = createClient(new URL(server.url).origin)
  const as = ({ headers, ...options }: Options = {}) => ({ ...options, headers: { ...browser, ...headers } })
  return {
    get: (path, options) => client.get(path, as(options)),
    head: (path, options) => client.request('HEAD', path, undefined, as(options)),
    send: (path, fields, headers) =>
      client.post(path, undefined, {
        raw: new URLSearchParams(fields).toString(),
        headers: { ...browser, 'content-type': 'application/x-www-form-urlencoded', ...headers },
      }),
  }
}

/** Starts a server without deliveries, and a visitor of its help centres. */
export async function startVisit(): Promise<{ server: TestServer; visitor: Visitor }> {
  const server = await startServer({ delivers: false })
  return { server, visitor: visit(server) }
}

/** Checks for an HTML page with this status. */
export function assertPage(answer: Answer, status: number): void {
  assert.equal(answer.status, status, answer.text)
  assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8')
  assert.match(answer.text, /^<!doctype html>/)
  assert.match(answer.headers.get('content-security-policy')!, /default-src 'none'/)
}

/** The text of a page without its tags. */
export const wordsOf = ({ text }: Answer): string =>
  text
    .replace(/<head>.*<\/head>/s, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
