import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** One request as received. `body` contains the raw bytes, and `at` is in milliseconds since 1970. */
export type Received = {
  method: string
  path: string
  headers: Record<string, string>
  body: Buffer
  at: number
}

/**
 * One answer; a bare number is a status. `fault` replaces or spoils the answer:
 * hang: never answers · reset: RST before any byte · close: closes before any byte · garbage: not HTTP, then closes
 * drip_head: sends its head byte by byte, without end · drip_body: a body of one byte per 20 ms, without end
 * endless_body: a body without end, as fast as it is read · cut_body: closes in the middle of its body
 */
export type Answer = {
  status?: number
  headers?: Record<string, string>
  body?: string | Buffer
  /** Milliseconds before the first byte. */
  delay?: number
  /** 1xx statuses sent before the final one. */
  informational?: number[]
  fault?: Fault
}
export type Fault = keyof typeof FAULTS
type Choice = number | Answer
export type Script = Choice | Choice[] | ((received: Received) => Choice | Promise<Choice>)

export type Options = { host?: string; port?: number; tls?: { key: string; cert: string } }
export type Receiver = Awaited<ReturnType<typeof startReceiver>>

/**
 * Starts a webhook target on 127.0.0.1. `script`: one answer for all requests, a list of answers of which the last
 * one repeats, or a function of the request.
 */
export async function startReceiver(script: Script = 200, options: Options = {}) {
  const inbox = createInbox()
  let choose = readScript(script)
  const { server, sockets, counts } = openServer(options, inbox.notice, async (request, response) => {
    const received = await receive(request)
    inbox.add(received)
    const answer = await choose(received)
    await write(typeof answer === 'number' ? { status: answer } : answer, response)
  })
  const host = options.host ?? '127.0.0.1'
  await once(server.listen(options.port ?? 0, host), 'listening')
  const { port } = server.address() as AddressInfo

  return {
    url: `${options.tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`,
    port,
    requests: inbox.requests,
    /** The number of accepted connections, and of bytes sent over the closed ones. */
    counts,
    next: inbox.next,
    waitFor: inbox.waitFor,
    /** Waits until no connection is open. */
    waitForSilence: () => inbox.wait('end of connections', () => sockets.size === 0 || undefined),
    /** Replaces the script. */
    answer(script: Script) {
      choose = readScript(script)
    },
    /** Resets every open connection, idle ones too. */
    dropConnections() {
      for (const socket of sockets) socket.resetAndDestroy()
    },
    async close() {
      const closed = new Promise(done => server.close(done))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

function openServer(options: Options, notice: () => void, respond: http.RequestListener) {
  const server = options.tls ? https.createServer(options.tls, respond) : http.createServer(respond)
  const counts = { connections: 0, bytesSent: 0 }
  const sockets = new Set<Socket>()
  server.keepAliveTimeout = 60_000
  server.on('connection', (socket: Socket) => {
    counts.connections += 1
    sockets.add(socket.on('error', () => {}))
    socket.on('close', () => {
      sockets.delete(socket)
      counts.bytesSent += socket.bytesWritten
      notice()
    })
  })
  server.on('tlsClientError', () => {})
  return { server, sockets, counts }
}

function createInbox() {
  const requests: Received[] = []
  const taken = new Set<Received>()
  const checks = new Set<() => void>()
  const notice = () => checks.forEach(check => void check())

  /** Resolves with the first result of `look`, now or later, and rejects after 30 s. */
  function wait<T>(what: string, look: () => T | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        checks.delete(check)
        reject(new Error(`receiver: no ${what} within 30 s; it has ${requests.length} requests`))
      }, 30_000)
      checks.add(check)
      check()

      function check() {
        const found = look()
        if (found === undefined) return
        clearTimeout(timer)
        checks.delete(check)
        resolve(found)
      }
    })
  }

  return {
    requests,
    notice,
    wait,
    add(received: Received) {
      requests.push(received)
      notice()
    },
    /**
     * The earliest request that matches `predicate` and was not returned before. Waits for one if necessary.
     */
    next(predicate: (received: Received) => boolean = () => true) {
      return wait('matching request', () => {
        const found = requests.find(received => !taken.has(received) && predicate(received))
        if (found) taken.add(found)
        return found
      })
    },
    /** All requests, once there are at least `count`. */
    waitFor: (count: number) =>
      wait(`request ${count}`, () => (requests.length >= count ? requests : undefined)),
  }
}

/** Whether `header` (`sha256=<hex>`) is the signature of these bytes. */
export function verifySignature(secret: string, body: Buffer | string, header: string | undefined): boolean {
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`)
  const given = Buffer.from(header ?? '')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function readScript(script: Script): (received: Received) => Choice | Promise<Choice> {
  if (typeof script === 'function') return script
  if (!Array.isArray(script)) return () => script
  let turn = 0
  return () => script[Math.min(turn++, script.length - 1)] ?? 200
}

async function receive(request: http.IncomingMessage): Promise<Received> {
  const at = Date.now()
  const body = Buffer.concat(await request.toArray().catch(() => []))
  const headers = request.headers as Record<string, string>
  return { method: request.method ?? '', path: request.url ?? '', headers, body, at }
}

async function write(answer: Answer, response: http.ServerResponse) {
  const socket = response.socket!
  if (answer.delay) await sleep(answer.delay)
  for (const status of answer.informational ?? []) socket.write(`HTTP/1.1 ${status} Wait\r\n\r\n`)
  if (answer.fault) return FAULTS[answer.fault](socket, answer, response)
  if (response.destroyed) return
  response.writeHead(answer.status ?? 200, answer.headers).end(answer.body)
}

const FAULTS = {
  hang: () => {},
  reset: (socket: Socket) => void socket.resetAndDestroy(),
  close: (socket: Socket) => void socket.end(),
  garbage: (socket: Socket) => void socket.end('SSH-2.0-OpenSSH_9.6\r\n\r\n'),
  drip_head: (socket: Socket) => drip(socket, `HTTP/1.1 200 OK\r\nX-Slow: ${'a'.repeat(10_000)}`),
  drip_body: (_socket: Socket, answer: Answer, response: http.ServerResponse) => {
    response.writeHead(answer.status ?? 200, answer.headers)
    drip(response, 'b'.repeat(10_000))
  },
  endless_body: (_socket: Socket, answer: Answer, response: http.ServerResponse) => {
    response.writeHead(answer.status ?? 200, answer.headers)
    const chunk = Buffer.alloc(64 * 1024, 'x')
    const fill = () => {
      while (!response.destroyed && response.write(chunk)) {}
    }
    response.on('drain', fill)
    fill()
  },
  cut_body: (socket: Socket, answer: Answer) =>
    void socket.end(`HTTP/1.1 ${answer.status ?? 200} Cut\r\nContent-Length: 1000\r\n\r\nhalf`),
}

function drip(stream: Socket | http.ServerResponse, text: string) {
  let place = 0
  const timer = setInterval(() => stream.write(text[place++] ?? ' '), 20)
  stream.on('close', () => clearInterval(timer))
}
