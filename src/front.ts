import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, Server as Listener } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Config } from './core/config.ts'
import { codeOf, SetupError } from './core/setup-error.ts'
import { createMetricsRule, readMetrics } from './metrics.ts'

/**
 * The listening socket, which is open from the first moment until what was under way at the stop has been answered, and
 * the application behind it. Nothing is refused with a status meanwhile: a refused connection is what every proxy knows
 * how to take to another process, also when the request may not be sent twice.
 */
export interface Front {
  port: number
  /** From now on requests go to the application; `isReady` is asked at each GET /readyz. */
  serve(app: FastifyInstance | null, isReady: () => Promise<boolean>): void
  /** Answers what is under way and what comes meanwhile, for up to 10 s; then takes no new connection, and closes. */
  close(): Promise<void>
}

interface State {
  phase: 'starting' | 'ready' | 'stopping'
  /** Resolves when it is no longer starting. */
  started: PromiseWithResolvers<void>
  underWay: Set<ServerResponse>
  app: Server | null
  isReady: () => Promise<boolean>
  mayReadMetrics(request: IncomingMessage): boolean
}

/** Milliseconds that a request waits for the end of the start. */
const longestHold = 10_000

/** Milliseconds that a stop waits for requests under way. */
const longestStop = 10_000

/** So long it leaves connections open over which nothing comes: each request on one is told that it was the last. */
const quiet = 200

export async function openFront(config: Config): Promise<Front> {
  const { host, port } = config
  const state: State = {
    phase: 'starting',
    started: Promise.withResolvers(),
    underWay: new Set(),
    app: null,
    isReady: async () => false,
    mayReadMetrics: createMetricsRule(config),
  }
  const server = createServer({ requireHostHeader: false, connectionsCheckingInterval: 5_000 })
  for (const event of ['request', 'checkExpectation']) {
    server.on(event, (request, response) => route(state, request, response))
  }
  await listen(server, host, port)
  return {
    port: (server.address() as AddressInfo).port,
    serve(app, isReady) {
      if (app) adopt(server, app.server)
      Object.assign(state, { phase: 'ready', app: app?.server ?? null, isReady })
      state.started.resolve()
    },
    close: () => close(server, state),
  }
}

/** Thousands who wait for events come at once when another process stops, and Node's own 511 would let them wait seconds. */
const backlog = 8_192

async function listen(server: Server, host: string, port: number): Promise<void> {
  try {
    server.listen({ port, host, backlog })
    await once(server, 'listening')
  } catch (error) {
    const code = codeOf(error)
    if (code === 'EADDRINUSE')
      throw new SetupError(`PORT: ${port} is taken by another program; set it to a free one`)
    if (code === 'EACCES')
      throw new SetupError(`PORT: this user may not listen on ${port}; set it to 1024 or more`)
    throw new SetupError(`HOST: cannot listen on ${host} (${code}); set it to an address of this machine`)
  }
}

/** Fastify's own server never listens; its limits and its answers to broken requests and upgrades hold here. */
function adopt(server: Server, app: Server): void {
  for (const event of ['clientError', 'upgrade']) {
    for (const listener of app.listeners(event)) server.on(event, listener as () => void)
  }
  const { keepAliveTimeout, requestTimeout, headersTimeout, timeout } = app
  Object.assign(server, { keepAliveTimeout, requestTimeout, headersTimeout, timeout })
}

function route(state: State, request: IncomingMessage, response: ServerResponse): unknown {
  const path = request.url?.split('?')[0]
  if (path === '/healthz') return answer(response, 200, { status: 'ok' })
  if (path === '/readyz') return answerReadiness(state, response)
  if (path === '/metrics' && state.mayReadMetrics(request)) return answerMetrics(response)
  if (path === '/metrics') return answer(response, 404, { detail: 'Not Found' })
  if (state.phase === 'starting') return hold(state, request, response)
  if (!state.app) return refuse(state, response)
  if (state.phase === 'stopping') response.setHeader('connection', 'close')
  state.underWay.add(response)
  response.once('close', () => state.underWay.delete(response))
  state.app.emit('request', request, response)
}

/** A proxy sends a new process its share as soon as it listens: what comes too early waits. */
async function hold(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  await Promise.race([state.started.promise, sleep(longestHold, null, { ref: false })])
  if (state.phase === 'starting') refuse(state, response)
  else if (!response.destroyed) route(state, request, response)
}

const refuse = ({ phase }: State, response: ServerResponse): void =>
  phase === 'ready'
    ? answer(response, 404, { detail: 'Not Found' })
    : answer(response, 503, { detail: `The server is ${phase}` })

async function answerReadiness(state: State, response: ServerResponse): Promise<void> {
  if (state.phase !== 'ready') return answer(response, 503, { status: state.phase })
  const isReady = await state.isReady()
  answer(response, isReady ? 200 : 503, { status: isReady ? 'ready' : 'database unreachable' })
}

const answerMetrics = async (response: ServerResponse): Promise<void> =>
  say(response, 200, 'text/plain; version=0.0.4; charset=utf-8', await readMetrics())

const answer = (response: ServerResponse, status: number, body: Record<string, string>): void =>
  say(response, status, 'application/json; charset=utf-8', JSON.stringify(body))

function say(response: ServerResponse, status: number, type: string, text: string): void {
  const bytes = Buffer.from(text)
  response.writeHead(status, {
    'content-length': bytes.length,
    'content-type': type,
    'cache-control': 'no-store',
    'x-request-id': randomUUID().replaceAll('-', ''),
    ...(status === 503 && { 'retry-after': '1', connection: 'close' }),
  })
  response.end(bytes)
}

async function close(server: Server, state: State): Promise<void> {
  state.phase = 'stopping'
  state.started.resolve()
  for (const response of state.underWay) if (!response.headersSent) response.setHeader('connection', 'close')
  const begun = Date.now()
  const isInTime = (limit: number) => Date.now() - begun < limit
  // Meanwhile whoever asks /readyz is told, and the rest is answered: the listener closes on nobody who was let in.
  const first = [...state.underWay]
  while (first.some(response => state.underWay.has(response)) && isInTime(longestStop)) await sleep(20)
  let isDeserted = false
  // Node's own close of a web server also cuts connections without a request, although one may be on its way to them.
  Listener.prototype.close.call(server, () => {
    isDeserted = true
  })
  const quietUntil = Date.now() - begun + quiet
  while (!isDeserted && isInTime(state.underWay.size > 0 ? longestStop : quietUntil)) await sleep(20)
  server.closeAllConnections()
}
