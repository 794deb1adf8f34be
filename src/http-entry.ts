import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import manifest from '../package.json' with { type: 'json' }
import type { Config } from './core/config/config.ts'
import { portOf } from './core/http/port-of.ts'
import { type Listeners, openListeners, stopListening } from './listener.ts'
import { createMetricsRule, readMetrics } from './metrics.ts'

const { version } = manifest

/**
 * The listening socket, which is open from the first moment until the stop, and the application behind it. During a stop, no
 * connection is reset and no request gets an error status. New connections are refused instead: every proxy can then use another
 * process, even for a request that must not be sent twice.
 */
export interface HttpEntry {
  port: number
  /**
   * From now on, requests go to the application. Each GET /readyz calls `findReason` for the reason why it cannot serve, and
   * `listWarnings` for other problems.
   */
  serve(app: FastifyInstance | null, findReason: FindReason, listWarnings?: ListWarnings): void
  /**
   * Continues to answer for STOP_DELAY, and closes each connection after its next response. Then accepts no new connections,
   * calls `letGo` to end waiting calls, and closes when all requests are answered, at most 10 s later.
   */
  close(letGo: () => void): Promise<void>
}

type FindReason = () => Promise<string | null>
type ListWarnings = () => string[]

interface State {
  phase: 'starting' | 'ready' | 'stopping'
  /** What requests wait for before they reach the application: during a start, and while a stop closes the listener. */
  opening: PromiseWithResolvers<void> | null
  underWay: Set<ServerResponse>
  app: Server | null
  findReason: FindReason
  listWarnings: ListWarnings
  mayReadMetrics(request: IncomingMessage): boolean
}

/** Milliseconds that a request waits for the start to finish. */
const startHoldMs = 10_000

/** Milliseconds that a stop waits for requests in progress. */
const stopTimeoutMs = 10_000

/** Milliseconds that a stop keeps connections without requests open. */
const idleStopMs = 200

export async function openHttpEntry(config: Config): Promise<HttpEntry> {
  const { host, port } = config
  const state: State = {
    phase: 'starting',
    opening: Promise.withResolvers(),
    underWay: new Set(),
    app: null,
    findReason: async () => null,
    listWarnings: () => [],
    mayReadMetrics: createMetricsRule(config),
  }
  const server = createServer({ requireHostHeader: false, connectionsCheckingInterval: 5_000 })
  for (const event of ['request', 'checkExpectation']) {
    server.on(event, (request, response) => route(state, request, response))
  }
  const listeners = await openListeners(server, host, port)
  return {
    port: portOf(server),
    serve(app, findReason, listWarnings = () => []) {
      if (app) adopt(server, app.server)
      Object.assign(state, { phase: 'ready', app: app?.server ?? null, findReason, listWarnings })
      open(state)
    },
    close: letGo => close(listeners, state, config.stopDelay ?? 0, letGo),
  }
}

/** Fastify's own server never listens. Copy its limits and its handlers for invalid requests and upgrades. */
function adopt(server: Server, app: Server): void {
  for (const event of ['clientError', 'upgrade']) {
    for (const listener of app.listeners(event)) server.on(event, listener)
  }
  const { keepAliveTimeout, requestTimeout, headersTimeout, timeout } = app
  Object.assign(server, { keepAliveTimeout, requestTimeout, headersTimeout, timeout })
}

function route(state: State, request: IncomingMessage, response: ServerResponse): unknown {
  const path = request.url?.split('?')[0]
  if (state.phase === 'stopping') response.setHeader('connection', 'close')
  if (path === '/healthz') return answer(response, 200, { status: 'ok', version })
  if (path === '/readyz') return answerReadiness(state, response)
  if (path === '/metrics' && state.mayReadMetrics(request)) return answerMetrics(response)
  if (path === '/metrics') return answer(response, 404, { detail: 'Not Found' })
  if (state.opening) return hold(state, state.opening.promise, request, response)
  if (!state.app) return refuse(state, response)
  state.underWay.add(response)
  response.once('close', () => state.underWay.delete(response))
  state.app.emit('request', request, response)
}

function open(state: State): void {
  state.opening?.resolve()
  state.opening = null
}

/** A proxy sends requests to a new process as soon as it listens, so early requests wait. */
async function hold(
  state: State,
  opened: Promise<void>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  await Promise.race([opened, sleep(startHoldMs, null, { ref: false })])
  if (state.phase === 'starting') refuse(state, response)
  else if (!response.destroyed) route(state, request, response)
}

const refuse = ({ phase }: State, response: ServerResponse): void =>
  phase === 'ready'
    ? answer(response, 404, { detail: 'Not Found' })
    : answer(response, 503, { detail: `The server is ${phase}` })

async function answerReadiness(state: State, response: ServerResponse): Promise<void> {
  if (state.phase !== 'ready') return answer(response, 503, { status: state.phase, version })
  const reason = await state.findReason()
  const warnings = state.listWarnings()
  if (!reason)
    return answer(response, 200, { status: 'ready', version, ...(warnings.length && { warnings }) })
  answer(response, 503, { status: reason.replaceAll('_', ' '), version, reason })
}

const answerMetrics = async (response: ServerResponse): Promise<void> =>
  sendText(response, 200, 'text/plain; version=0.0.4; charset=utf-8', await readMetrics())

const answer = (response: ServerResponse, status: number, body: Record<string, string | string[]>): void =>
  sendText(response, status, 'application/json; charset=utf-8', JSON.stringify(body))

function sendText(response: ServerResponse, status: number, type: string, text: string): void {
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

async function close(listeners: Listeners, state: State, delay: number, letGo: () => void): Promise<void> {
  state.phase = 'stopping'
  for (const response of state.underWay) closeAfterResponse(response)
  // Until then, /readyz reports the stop, and other requests are answered.
  if (state.app) await sleep(delay)
  state.opening = Promise.withResolvers()
  let isDeserted = false
  await stopListening(listeners, () => {
    isDeserted = true
  })
  // Only now, because clients that waited for events reconnect at once. They must be refused here, so that another process
  // accepts them.
  letGo()
  open(state)
  const begun = Date.now()
  const isInTime = () => Date.now() - begun < (state.underWay.size > 0 ? stopTimeoutMs : idleStopMs)
  while (!isDeserted && isInTime()) await sleep(20)
  listeners[0].closeAllConnections()
}

/** Closes the connection after this response, even if the response has already begun. */
function closeAfterResponse(response: ServerResponse): void {
  const { socket } = response
  if (response.headersSent) response.once('finish', () => socket?.end())
  else response.setHeader('connection', 'close')
}
