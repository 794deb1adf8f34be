import assert from 'node:assert/strict'
import { connect } from 'node:net'

/** A client of the API as an integration would be: plain HTTP. */

export interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects to be there
  body: any
  text: string
}

export interface Options {
  headers?: Record<string, string>
  /** Sent unchanged instead of a JSON body. */
  raw?: string | Uint8Array
}

export type Call = (path: string, body?: unknown, options?: Options) => Promise<Answer>

export interface Client {
  get(path: string, options?: Options): Promise<Answer>
  post: Call
  patch: Call
  put: Call
  delete: Call
  request(method: string, path: string, body?: unknown, options?: Options): Promise<Answer>
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Calls `base` + path with the key, or without an Authorization header if there is no key. */
export function createClient(base: string, key?: string): Client {
  async function request(
    method: string,
    path: string,
    body?: unknown,
    options: Options = {},
  ): Promise<Answer> {
    const content = options.raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const response = await fetch(base + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(key && { authorization: `Bearer ${key}` }),
        ...(content !== undefined && { 'content-type': 'application/json' }),
        ...options.headers,
      },
      body: content as never,
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: parse(text), text }
  }
  const send =
    (method: string): Call =>
    (path, body, options) =>
      request(method, path, body, options)
  return {
    get: (path, options) => request('GET', path, undefined, options),
    post: send('POST'),
    patch: send('PATCH'),
    put: send('PUT'),
    delete: send('DELETE'),
    request,
  }
}

/** Sends these bytes over a new connection, and reads until the server closes it. */
export async function sendRaw(base: string, bytes: string | Uint8Array): Promise<Answer> {
  const { hostname, port } = new URL(base)
  const socket = connect(Number(port), hostname)
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => void chunks.push(chunk)).on('error', () => {})
  socket.write(bytes)
  await new Promise(done => socket.on('close', done))
  const [head = '', text = ''] = Buffer.concat(chunks)
    .toString()
    .split(/\r\n\r\n(.*)/s)
  const [first = '', ...lines] = head.split('\r\n')
  const headers = new Headers(lines.map(line => line.split(/:\s*(.*)/s).slice(0, 2) as [string, string]))
  return { status: Number(first.split(' ')[1]), headers, body: parse(text), text }
}

const requestIdOf = (answer: Answer): string => {
  const id = answer.headers.get('x-request-id')
  assert.match(id ?? '', /^[\x21-\x7e]{1,200}$/, `X-Request-ID of ${answer.text}`)
  return id!
}

const keysOf = (body: unknown): string[] => Object.keys(body as object).sort()

/** Spec 7.2, shape 1: exactly the four fields of the common envelope. */
export function assertEnvelope(answer: Answer, status: number, code: string, detail?: object | null): void {
  assert.equal(answer.status, status, answer.text)
  assert.equal(answer.body.error_code, code)
  assert.deepEqual(keysOf(answer.body), ['detail', 'error_code', 'error_message', 'request_id'])
  assert.equal(typeof answer.body.error_message, 'string')
  assert.equal(answer.body.request_id, requestIdOf(answer))
  if (detail === null) assert.equal(answer.body.detail, null)
  else assert.partialDeepStrictEqual(answer.body.detail ?? {}, detail ?? {})
}

/** Spec 7.2, shape 2: `{"detail": text}` and nothing else. */
export function assertBrief(answer: Answer, status: number, detail?: string): void {
  assert.equal(answer.status, status, answer.text)
  assert.deepEqual(keysOf(answer.body), ['detail'])
  assert.equal(typeof answer.body.detail, 'string')
  if (detail !== undefined) assert.equal(answer.body.detail, detail)
  requestIdOf(answer)
}

/**
 * Spec 7.2, shape 3: a list of problems that includes the expected ones, written as `body.contact.email` or
 * `query.page:int_parsing`.
 */
export function assertProblems(answer: Answer, ...expected: string[]): void {
  assert.equal(answer.status, 422, answer.text)
  assert.deepEqual(keysOf(answer.body), ['detail'], answer.text)
  assert.ok(Array.isArray(answer.body.detail) && answer.body.detail.length > 0, answer.text)
  const found: string[] = []
  for (const { type, loc, msg, ctx, ...rest } of answer.body.detail) {
    assert.deepEqual([keysOf(rest), typeof (ctx ?? {})], [['input'], 'object'], answer.text)
    assert.deepEqual([typeof type, typeof msg, Array.isArray(loc)], ['string', 'string', true], answer.text)
    assert.ok(['body', 'query', 'path', 'header'].includes(loc[0]), answer.text)
    found.push(loc.join('.'), `${loc.join('.')}:${type}`)
  }
  for (const one of expected) assert.ok(found.includes(one), `${one} not in ${found}`)
  requestIdOf(answer)
}

/** A success, or an error in one of the three shapes. */
export function assertShape(answer: Answer): void {
  const { status, body } = answer
  if (status < 300) return
  if (body?.error_code) assertEnvelope(answer, status, body.error_code)
  else if (Array.isArray(body?.detail)) assertProblems(answer)
  else assertBrief(answer, status)
}
