import { Worker } from 'node:worker_threads'
import type { Job, ReadResult } from './worker.ts'

/** One worker thread, which reads many mails, one at a time. It is started when needed, and ended when it failed or is idle. */

export interface WorkerLimits {
  heapMb: number
  /** Memory outside of the heap, such as buffers, which the limits of Node.js do not count. */
  externalMb: number
  idleMs: number
}

/** The worker did not answer: it took too long, too much memory, or ended. */
export class WorkerFailed extends Error {}

const memoryCheckMs = 200

export class MailWorker {
  #worker: Worker | null = null
  #idle: NodeJS.Timeout | null = null
  readonly #readers: string
  readonly #limits: WorkerLimits

  /** `readers`: URL of the module whose `readAttempt` reads mails. */
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
    // A worker that ends between two mails is started again by the next one.
    worker.on('error', () => this.#forget(worker))
    worker.on('exit', () => this.#forget(worker))
    this.#worker = worker
    return worker
  }

  #forget(worker: Worker): void {
    if (this.#worker === worker) this.#worker = null
  }

  /** Ends the thread, even in an endless loop. */
  async end(): Promise<void> {
    if (this.#idle) clearTimeout(this.#idle)
    const worker = this.#worker
    this.#worker = null
    await worker?.terminate()
  }

  #rest(): void {
    this.#worker?.unref()
    this.#idle = setTimeout(() => this.end(), this.#limits.idleMs).unref()
  }

  /** Ends a worker with too much memory outside of its heap. */
  async #checkMemory(worker: Worker, fail: (message: string) => void): Promise<void> {
    const statistics = await worker.getHeapStatistics().catch(() => null)
    if (statistics && statistics.external_memory > this.#limits.externalMb * 1024 * 1024)
      fail('The worker took too much memory.')
  }

  /** Reads one mail. Rejects with WorkerFailed if the worker failed, and with the reason of `signal`; the worker has then ended. */
  async read(job: Job, timeoutMs: number, signal: AbortSignal): Promise<ReadResult> {
    signal.throwIfAborted()
    if (this.#idle) clearTimeout(this.#idle)
    const worker = this.#worker ?? this.#start()
    worker.ref()
    try {
      const outcome = await this.#ask(worker, job, timeoutMs, signal)
      this.#rest()
      return outcome
    } catch (error) {
      await this.end()
      throw error
    }
  }

  #ask(worker: Worker, job: Job, timeoutMs: number, signal: AbortSignal): Promise<ReadResult> {
    const { promise, resolve, reject } = Promise.withResolvers<ReadResult>()
    const fail = (message: string) => reject(new WorkerFailed(message))
    const ended = () => fail('The worker ended.')
    const failed = (error: Error) => fail(error.message)
    const aborted = () => reject(signal.reason)
    const answered = (message: ReadResult | 'ready') => message !== 'ready' && resolve(message)
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
