import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { endWithUs } from '../children.ts'
import type { Arrival } from './receiver.ts'

/** The receiver of all webhooks, seen from the bench. */
export interface ReceiverProcess {
  port: number
  /** What has arrived since this was asked last. */
  take(): Promise<Arrival[]>
  close(): void
}

async function collect(receiver: ChildProcess): Promise<Arrival[]> {
  const all: Arrival[] = []
  for (;;) {
    receiver.send({ take: true })
    const [some] = (await once(receiver, 'message')) as [Arrival[]]
    if (some.length === 0) return all
    all.push(...some)
  }
}

/** `faults`: the share of attempts that it answers with 500 although it has written them down. */
export async function startReceiver(options: { faults: number; seed: number }): Promise<ReceiverProcess> {
  const child = fork(join(import.meta.dirname, 'receiver.ts'))
  endWithUs(child)
  child.send(options)
  const [port] = (await once(child, 'message')) as [number]
  return { port, take: () => collect(child), close: () => child.disconnect() }
}
