import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export interface Fault {
  status: number
  headers?: Record<string, string>
  /** Whether the server runs the request first, so that only its response is lost. */
  isCarriedOut?: boolean
}

export interface FaultyProxy {
  url: string
  /** Replaces the responses to the next requests with this method, in this order. */
  fail(method: string, ...faults: Fault[]): void
  /** Whether all of these faults have happened. */
  isDone(): boolean
}

async function forward(origin: string, request: IncomingMessage): Promise<Response> {
  const { method = 'GET', headers, url } = request
  const body = method === 'GET' ? undefined : new Uint8Array(await buffer(request))
  const names = ['authorization', 'content-type', 'idempotency-key', 'if-match']
  const passed = names.flatMap(name => (headers[name] ? [[name, String(headers[name])]] : []))
  return fetch(origin + url, { method, body, headers: Object.fromEntries(passed) })
}

/** A proxy between a program and the server, which fails on demand, as real proxies and busy servers do. */
export async function startProxy(
  context: { after(run: () => void): void },
  origin: string,
): Promise<FaultyProxy> {
  const planned: { method: string; fault: Fault }[] = []

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const at = planned.findIndex(({ method }) => method === request.method)
    const [plan] = at < 0 ? [] : planned.splice(at, 1)
    const passed = !plan || plan.fault.isCarriedOut ? await forward(origin, request) : null
    const text = await passed?.text()
    if (plan) response.writeHead(plan.fault.status, plan.fault.headers).end('<html>proxy</html>')
    else response.writeHead(passed!.status, { 'content-type': 'application/json' }).end(text)
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  context.after(() => server.close().closeAllConnections())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fail: (method, ...faults) => void planned.push(...faults.map(fault => ({ method, fault }))),
    isDone: () => planned.length === 0,
  }
}
