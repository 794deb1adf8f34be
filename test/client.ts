/** A caller of the API, as an integration is one: HTTP and nothing else. */

export interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects to be there
  body: any
  text: string
}

export interface Options {
  headers?: Record<string, string>
  /** Sent as it is, in place of a JSON body. */
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

/** Calls `base` + path with the key; without one, with no Authorization header. */
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
      body: content as BodyInit | undefined,
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
