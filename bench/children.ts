import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** The programs that a bench has started. If the bench is stopped, they are stopped first. */
const children = new Set<ChildProcess>()

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode === null && signalCode === null

/** Sends SIGTERM and waits for the process to exit. */
export async function stop(child: ChildProcess): Promise<void> {
  if (!isRunning(child)) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

/** Also called after a failed bench. */
export const stopAll = () => Promise.all([...children].map(stop))

async function leave(): Promise<never> {
  await stopAll()
  process.exit(130)
}

/** Sends a request to a child process and waits for the response. */
export async function ask<T>(child: ChildProcess, order: unknown): Promise<T> {
  child.send(order as object)
  const [answer] = await once(child, 'message')
  return answer as T
}

let isListening = false

export function endWithUs(child: ChildProcess): void {
  if (!isListening) for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, leave)
  isListening = true
  children.add(child)
  child.once('exit', () => children.delete(child))
}
