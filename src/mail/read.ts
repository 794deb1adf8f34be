import { randomUUID } from 'node:crypto'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Mail } from './mail.ts'
import { MailWorker, WorkerFailed } from './mail-worker.ts'
import { readSource } from './source.ts'
import type { Attempt } from './worker.ts'
import { WorkerPool } from './worker-pool.ts'

export interface MailReaderOptions {
  /** URL of the module that reads mails in the worker; its `readAttempt` is called. */
  readers?: string
  /** Milliseconds of each attempt, in their order. */
  timeouts?: Record<Attempt, number>
  /** At most; one reads all mails as long as none of them takes more than a second. */
  workers?: number
  heapMb?: number
  externalMb?: number
  /** Milliseconds after which an idle worker is ended. */
  idleMs?: number
}

const attempts: Attempt[] = ['mailsplit', 'rough', 'postal-mime']

/** In all 40 seconds: a mail that hangs once mostly hangs again. */
const defaultTimeouts = { mailsplit: 20_000, rough: 10_000, 'postal-mime': 10_000 }

/** This computer failed, for instance its disk is full. The mail can be read later. */
export class ReadingFailed extends Error {
  readonly code: string | undefined

  constructor(message: string, code: string | undefined) {
    super(message)
    this.code = code
  }
}

interface Run {
  worker: MailWorker
  timeouts: Record<Attempt, number>
  path: string
  folder: string
  signal: AbortSignal
}

/** One attempt, with a folder of its own; null if it failed. */
async function attemptOnce(
  { worker, timeouts, path, folder, signal }: Run,
  attempt: Attempt,
): Promise<Mail | null> {
  const own = join(folder, `mail-${randomUUID()}`)
  try {
    const outcome = await worker.read({ path, folder: own, attempt }, timeouts[attempt], signal)
    if ('error' in outcome) {
      if (outcome.isLocal) throw new ReadingFailed(outcome.error, outcome.code)
      throw new WorkerFailed(outcome.error)
    }
    return outcome.mail
  } catch (error) {
    await rm(own, { recursive: true, force: true })
    if (error instanceof WorkerFailed) return null
    throw error
  }
}

async function readOnce(run: Run): Promise<Mail> {
  await stat(run.path)
  for (const attempt of attempts) {
    const mail = await attemptOnce(run, attempt)
    if (mail) return mail
  }
  return readSource(run.path)
}

export interface MailReader {
  /**
   * Reads the mail in the file `path`. Its files are in a new folder inside of `folder`, which must exist and which the caller
   * deletes. Mails are read one after the other, unless one is slow. A mail that no reader can read has the reader `source`.
   * Rejects with ReadingFailed if this computer fails, and with the reason of `signal`.
   */
  read(path: string, folder: string, signal: AbortSignal): Promise<Mail>
  close(): Promise<void>
}

export function makeMailReader(options: MailReaderOptions = {}): MailReader {
  const { timeouts = defaultTimeouts, heapMb = 512, externalMb = 512, idleMs = 60_000, workers = 2 } = options
  const readers = options.readers ?? new URL('./readers.ts', import.meta.url).href
  const pool = new WorkerPool(workers, () => new MailWorker(readers, { heapMb, externalMb, idleMs }))
  return {
    async read(path, folder, signal) {
      const worker = await pool.take()
      try {
        signal.throwIfAborted()
        return await readOnce({ worker, timeouts, path, folder, signal })
      } finally {
        pool.give(worker)
      }
    },
    close: () => pool.end(),
  }
}
