import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { JobResult, WorkerJob } from './worker.ts'

/**
 * A process that does one job at a time. It starts on demand and ends after a failure or when idle. It is not a thread, because a
 * thread whose heap is full sometimes ends the whole process.
 */

export interface WorkerLimits {
  heapMb: number
  /** Memory outside the heap, such as buffers. */
  externalMb: number
  idleMs: number
}

/** The worker gave no result: it timed out, used too much memory or ended. */
export class WorkerFailed extends Error {}

/** What a worker uses without an email. */
const baseMb = 100

const path = fileURLToPath(new URL('./worker.ts', import.meta.url))

/** The server's folder for compiled code, which makes the start quicker. The environment contains secrets, so the rest is not passed on. */
function makeEnvironment(): NodeJS.ProcessEnv {
  const cache = getCompileCacheDir()
  return cache ? { NODE_COMPILE_CACHE: dirname(cache) } : {}
}

export class MailWorker {
  #worker: ChildProcess | null = null
  #idle: NodeJS.Timeout | null = null
  readonly #readers: string
  readonly #limits: WorkerLimits

  /** `readers`: URL of the module that exports `readAttempt`. */
  constructor(readers: string, limits: WorkerLimits) {
    this.#readers = readers
    this.#limits = limits
  }

  /** Rejects with the system's error, such as EMFILE or EAGAIN, if no process can be started. Such a process cannot be written to. */
  async #start(): Promise<ChildProcess> {
    const { heapMb, externalMb } = this.#limits
    const worker = fork(path, [this.#readers, String(heapMb + externalMb + baseMb), String(process.pid)], {
      execArgv: [`--max-old-space-size=${heapMb}`, '--max-semi-space-size=16'],
      env: makeEnvironment(),
      serialization: 'advanced',
      stdio: 'ignore',
    })
    // A worker that ends between two emails is restarted for the next one.
    worker.on('error', () => this.#clear(worker))
    worker.on('exit', () => this.#clear(worker))
    this.#worker = worker
    await once(worker, 'spawn')
    return worker
  }

  #clear(worker: ChildProcess): void {
    if (this.#worker === worker) this.#worker = null
  }

  /** Ends the worker, even in an endless loop. */
  async end(): Promise<void> {
    if (this.#idle) clearTimeout(this.#idle)
    const worker = this.#worker
    this.#worker = null
    if (!worker?.pid || worker.exitCode !== null || worker.signalCode !== null) return
    worker.ref()
    worker.kill('SIGKILL')
    await once(worker, 'exit')
  }

  #startIdleTimer(): void {
    this.#worker?.unref()
    this.#worker?.channel?.unref()
    this.#idle = setTimeout(() => this.end(), this.#limits.idleMs).unref()
  }

  /** Does one job. Rejects with WorkerFailed, the signal's reason or an error of the system, after ending the worker. */
  async run<J extends WorkerJob>(job: J, timeoutMs: number, signal: AbortSignal): Promise<JobResult<J>> {
    signal.throwIfAborted()
    if (this.#idle) clearTimeout(this.#idle)
    try {
      const worker = this.#worker ?? (await this.#start())
      signal.throwIfAborted()
      worker.ref()
      worker.channel?.ref()
      const outcome = await this.#request(worker, job, timeoutMs, signal)
      this.#startIdleTimer()
      return outcome
    } catch (error) {
      await this.end()
      throw error
    }
  }

  #request<J extends WorkerJob>(
    worker: ChildProcess,
    job: J,
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<JobResult<J>> {
    const { promise, resolve, reject } = Promise.withResolvers<JobResult<J>>()
    const fail = (message: string) => reject(new WorkerFailed(message))
    const ended = () => fail('The worker ended. It may have used too much memory.')
    const failed = (error: Error) => fail(error.message)
    const aborted = () => reject(signal.reason)
    const answered = (message: unknown) => resolve(message as JobResult<J>)
    const timeout = setTimeout(() => fail('The worker took too long.'), timeoutMs)
    worker.on('message', answered).on('error', failed).on('exit', ended)
    signal.addEventListener('abort', aborted)
    worker.send(job, error => error && failed(error))
    return promise.finally(() => {
      clearTimeout(timeout)
      worker.off('message', answered).off('error', failed).off('exit', ended)
      signal.removeEventListener('abort', aborted)
    })
  }
}
