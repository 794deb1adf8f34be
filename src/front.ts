import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Config } from './core/config.ts'
import { codeOf, SetupError } from './core/setup-error.ts'
import { createMetricsRule, readMetrics } from './metrics.ts'

/** The listening socket, which is open from the first moment to the last, and the application behind it. */
export interface Front {
  port: number
  /** From now on requests go to the application; `isReady` is asked at each GET /readyz. */
  serve(app: FastifyInstance | null, isReady: () => Promise<boolean>): void
  /** Answers 503 to new requests, waits up to 10 s for those under way, and closes. */
  close(): Promise<void>
}

interface State {
  phase: 'starting' | 'ready' | 'stopping'
  underWay: Set<ServerResponse>
  app: Server | null
  isReady: () => Promise<boolean>
  mayReadMetrics(request: IncomingMessage): boolean
}

export async function openFront(config: Config): Promise<Front> {
  const { host, port } = config
  const state: State = {
    phase: 'starting',
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
    },
    close: () => close(server, state),
  }
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  try {
    server.listen(port, host)
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
  if (state.phase !== 'ready') return answer(response, 503, { detail: `The server is ${state.phase}` })
  if (!state.app) return answer(response, 404, { detail: 'Not Found' })
  state.underWay.add(response)
  response.once('close', () => state.underWay.delete(response))
  state.app.emit('request', request, response)
}

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
  for (const response of state.underWay) if (!response.headersSent) response.setHeader('connection', 'close')
  const deadline = Date.now() + 10_000
  while (state.underWay.size > 0 && Date.now() < deadline) await sleep(20)
  server.close()
  server.closeAllConnections()
}
