import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openCaller } from '../calls.ts'
import { ask } from '../children.ts'
import type { Server } from '../server.ts'
import type { Report as Polled } from '../updates/clients.ts'
import type { Received } from './receiver.ts'

/** The load in addition to the calls: a webhook in each project, waiting calls, and uploads. */

export interface Company {
  /** The arrivals since the last call. */
  take(): Promise<Heard>
  close(): Promise<void>
}

export interface Heard {
  webhooks: Received
  polls: Polled
  files: Files
}

export interface Files {
  sent: number
  failed: number
}

export interface Guests {
  server: Server
  /** One key per project. */
  keys: string[]
  /** The total number of waiting callers. */
  waiting: number
  /** The size of a file in bytes; 0 for no uploads. */
  fileSize: number
}

const start = (...path: string[]): ChildProcess => fork(join(import.meta.dirname, ...path))

async function subscribe({ server, keys }: Guests, port: number): Promise<void> {
  for (const [at, key] of keys.entries()) {
    const caller = openCaller(server.url, key)
    const { status } = await caller.call('POST', '/webhooks', { url: `http://127.0.0.1:${port}/${at}` })
    if (status !== 201) throw new Error(`The webhook was answered ${status}`)
    caller.close()
  }
}

/** Uploads one file per second. */
function sendFiles({ server, keys, fileSize }: Guests) {
  const child = start('..', 'files', 'load.ts')
  let files: Files = { sent: 0, failed: 0 }
  let isOver = fileSize === 0
  const run = async () => {
    for (; !isOver; await sleep(1_000)) {
      const id = await ask(child, { url: server.url, key: keys[0]!, size: fileSize, count: 1, id: null })
      files[id ? 'sent' : 'failed']++
    }
    child.disconnect()
  }
  const running = run()
  return {
    take: () => {
      const taken = files
      files = { sent: 0, failed: 0 }
      return taken
    },
    close: () => {
      isOver = true
      return running
    },
  }
}

export async function invite(guests: Guests): Promise<Company> {
  const [receiver, waiters] = [start('receiver.ts'), start('..', 'updates', 'clients.ts')]
  const [port] = await once(receiver, 'message')
  await subscribe(guests, port)
  await ask(waiters, { port: guests.server.port, keys: guests.keys, count: guests.waiting })
  const files = sendFiles(guests)
  return {
    take: async () => ({
      webhooks: await ask<Received>(receiver, 'take'),
      polls: await ask<Polled>(waiters, 'take'),
      files: files.take(),
    }),
    async close() {
      await files.close()
      for (const child of [receiver, waiters]) child.disconnect()
    },
  }
}
