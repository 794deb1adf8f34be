import { Worker } from 'node:worker_threads'
import type { JobResult, WorkerJob } from './worker.ts'

/** A worker thread that does one job at a time. It starts on demand and ends after a failure or when idle. */

export interface WorkerLimits {
  heapMb: number
  /** Memory outside the heap, such as buffers. Node.js's own limits do not cover it. */
  externalMb: number
  idleMs: number
}

/** The worker gave no result: it timed out, used too much memory or ended. */
export class WorkerFailed extends Error {}

const memoryCheckMs = 200

export class MailWorker {
  #worker: Worker | null = null
  #idle: NodeJS.Timeout | null = null
  readonly #readers: string
  readonly #limits: WorkerLimits

  /** `readers`: URL of the module that exports `readAttempt`. */
  constructor(readers: string, limits: WorkerLimits) {
    this.#readers = readers
    this.#limits = limits
  }

  #start(): Worker {
    const { heapMb } = this.#limits
    const worker = new Worker(new URL('./worker.ts', import.meta.url), {
      workerData: { readers: this.#readers },
      resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 48 },
      env: {},
    })
    // A worker that ends between two emails is restarted for the next one.
    worker.on('error', () => this.#clear(worker))
    worker.on('exit', () => this.#clear(worker))
    this.#worker = worker
    return worker
  }

  #clear(worker: Worker): void {
    if (this.#worker === worker) this.#worker = null
  }

  /** Ends the thread, even in an endless loop. */
  async end(): Promise<void> {
    if (this.#idle) clearTimeout(this.#idle)
    const worker = this.#worker
    this.#worker = null
    await worker?.terminate()
  }

  #startIdleTimer(): void {
    this.#worker?.unref()
    this.#idle = setTimeout(() => this.end(), this.#limits.idleMs).unref()
  }

  /** Fails if the worker uses too much memory outside its heap. */
  async #checkMemory(worker: Worker, fail: (message: string) => void): Promise<void> {
    const statistics = await worker.getHeapStatistics().catch(() => null)
    if (statistics && statistics.external_memory > this.#limits.externalMb * 1024 * 1024)
      fail('The worker used too much memory.')
  }

  /** Does one job. Rejects with WorkerFailed or the signal's reason, after ending the worker. */
  async run<J extends WorkerJob>(job: J, timeoutMs: number, signal: AbortSignal): Promise<JobResult<J>> {
    signal.throwIfAborted()
    if (this.#idle) clearTimeout(this.#idle)
    const worker = this.#worker ?? this.#start()
    worker.ref()
    try {
      const outcome = await this.#request(worker, job, timeoutMs, signal)
      this.#startIdleTimer()
      return outcome
    } catch (error) {
      await this.end()
      throw error
    }
  }

  #request<J extends WorkerJob>(
    worker: Worker,
    job: J,
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<JobResult<J>> {
    const { promise, resolve, reject } = Promise.withResolvers<JobResult<J>>()
    const fail = (message: string) => reject(new WorkerFailed(message))
    const ended = () => fail('The worker ended.')
    const failed = (error: Error) => fail(error.message)
    const aborted = () => reject(signal.reason)
    const answered = (message: JobResult<J> | 'ready') => message !== 'ready' && resolve(message)
    const timeout = setTimeout(() => fail('The worker took too long.'), timeoutMs)
    const memory = setInterval(() => this.#checkMemory(worker, fail), memoryCheckMs)
    worker.on('message', answered).on('error', failed).on('exit', ended)
    signal.addEventListener('abort', aborted)
    worker.postMessage(job)
    return promise.finally(() => {
      clearTimeout(timeout)
      clearInterval(memory)
      worker.off('message', answered).off('error', failed).off('exit', ended)
      signal.removeEventListener('abort', aborted)
    })
  }
}
