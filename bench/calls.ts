import http from 'node:http'

export interface Answer {
  status: number
  text: string
  ms: number
}

/** A keep-alive caller: one request at a time, timed from the first byte sent to the last byte read. */
export function openCaller(url: string, key: string, more: Record<string, string> = {}) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 4 })
  const { hostname, port } = new URL(url)
  const headers = { authorization: `Bearer ${key}`, ...more }

  const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const begun = performance.now()
      const payload = body === undefined ? undefined : JSON.stringify(body)
      const request = http.request(
        { agent, hostname, port, method, path: `/api/v1${path}`, headers },
        response => {
          const chunks: Buffer[] = []
          response.on('data', chunk => chunks.push(chunk))
          response.on('error', reject)
          response.on('end', () =>
            resolve({
              status: response.statusCode!,
              text: Buffer.concat(chunks).toString(),
              ms: performance.now() - begun,
            }),
          )
        },
      )
      request.on('error', reject)
      if (payload !== undefined) request.setHeader('content-type', 'application/json')
      request.end(payload)
    })

  return {
    call,
    get: (path: string) => call('GET', path),
    /** Reads JSON. Throws if the status is not 2xx. */
    // biome-ignore lint/suspicious/noExplicitAny: a bench knows the shapes that it reads
    async read(path: string): Promise<any> {
      const { status, text } = await call('GET', path)
      if (status !== 200) throw new Error(`GET ${path}: ${status} ${text.slice(0, 300)}`)
      return JSON.parse(text)
    },
    close: () => agent.destroy(),
  }
}

export type Caller = ReturnType<typeof openCaller>
