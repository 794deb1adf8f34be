import type { ServerResponse } from 'node:http'

/** Answers to those who wait for something to happen, which a stop ends and does not wait for. */
export const waiting = new WeakSet<ServerResponse>()
