import http from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'

export type SenderAgents = Record<'http:' | 'https:', http.Agent>

const CHUNK_BYTES = 4 * 1024

/** A small buffer. Node.js reads pieces of 64 KB that stay until the next garbage collection: endless responses took 128 KB each. */
const onread = {
  buffer: () => Buffer.allocUnsafeSlow(CHUNK_BYTES),
  callback(this: Socket, size: number, piece: Uint8Array) {
    return this.push(piece.subarray(0, size))
  },
}

/**
 * Idle sockets are closed after 4 s, because receivers commonly close theirs after 5 s. If a name has several addresses, each gets 1.5 s
 * to connect before the next one is tried. With the 250 ms of Node.js, connections to distant or busy receivers fail.
 */
export function createAgents(keepAlive: boolean): SenderAgents {
  const options = { keepAlive, timeout: 4_000, autoSelectFamilyAttemptTimeout: 1_500, onread }
  return { 'http:': new http.Agent(options), 'https:': new https.Agent(options) }
}
