import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { endWithUs } from '../children.ts'
import type { Arrival } from './receiver.ts'

/** The bench's handle of the receiver process. */
export interface ReceiverProcess {
  port: number
  /** The arrivals since the last call. */
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

/** `faults` is the share of attempts that get a 500 although they were recorded. */
export async function startReceiver(options: { faults: number; seed: number }): Promise<ReceiverProcess> {
  const child = fork(join(import.meta.dirname, 'receiver.ts'))
  endWithUs(child)
  child.send(options)
  const [port] = (await once(child, 'message')) as [number]
  return { port, take: () => collect(child), close: () => child.disconnect() }
}
