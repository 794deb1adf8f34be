import type { MailWorker } from './mail-worker.ts'

/** A pool of workers that each parse one email at a time. Emails wait in order of arrival. */
export class WorkerPool {
  readonly #make: () => MailWorker
  readonly #max: number
  /** If an email waits longer than this, another worker is started, because the previous email is slow or hangs. */
  readonly #slowMs: number
  readonly #all: MailWorker[] = []
  readonly #free: MailWorker[] = []
  readonly #waiting: ((worker: MailWorker) => void)[] = []

  constructor(max: number, slowMs: number, make: () => MailWorker) {
    this.#max = max
    this.#slowMs = slowMs
    this.#make = make
  }

  #add(): void {
    const worker = this.#make()
    this.#all.push(worker)
    this.give(worker)
  }

  #addIfSlow(): void {
    if (this.#waiting.length && this.#all.length < this.#max) this.#add()
  }

  /** Resolves with a free worker. Return it with `give`. */
  take(): Promise<MailWorker> {
    const { promise, resolve } = Promise.withResolvers<MailWorker>()
    this.#waiting.push(resolve)
    const free = this.#free.pop()
    if (free) this.give(free)
    else if (this.#all.length === 0) this.#add()
    else if (this.#all.length < this.#max) setTimeout(() => this.#addIfSlow(), this.#slowMs).unref()
    return promise
  }

  give(worker: MailWorker): void {
    const next = this.#waiting.shift()
    if (next) next(worker)
    else this.#free.push(worker)
  }

  async end(): Promise<void> {
    await Promise.all(this.#all.map(worker => worker.end()))
  }
}
