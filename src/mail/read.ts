import { randomUUID } from 'node:crypto'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Mail } from './mail.ts'
import { MailWorker, WorkerFailed } from './mail-worker.ts'
import type { Earlier } from './quote-known.ts'
import type { Folded } from './quotes.ts'
import { readSource } from './source.ts'
import type { Attempt } from './worker.ts'
import { WorkerPool } from './worker-pool.ts'

export interface MailReaderOptions {
  /** URL of the module that exports `readAttempt`. The worker loads it. */
  readers?: string
  /** Timeout of each attempt in milliseconds. */
  timeouts?: Record<Attempt, number>
  /** Maximum number of workers. */
  workers?: number
  /** Another worker starts when an email has waited this many milliseconds. The default is a second, because one worker is usually enough. */
  slowMs?: number
  heapMb?: number
  externalMb?: number
  /** Milliseconds after which an idle worker ends. */
  idleMs?: number
}

const attempts: Attempt[] = ['mailsplit', 'rough', 'postal-mime']

/** 40 seconds in total: an email that hangs once usually hangs again. */
const defaultTimeouts = { mailsplit: 20_000, rough: 10_000, 'postal-mime': 10_000 }

const foldTimeoutMs = 10_000

/** The system failed, for instance because the disk is full. The email can be parsed later. */
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

/** Makes one attempt in its own folder; null if it failed. */
async function attemptOnce(
  { worker, timeouts, path, folder, signal }: Run,
  attempt: Attempt,
): Promise<Mail | null> {
  const own = join(folder, `mail-${randomUUID()}`)
  try {
    const outcome = await worker.run({ path, folder: own, attempt }, timeouts[attempt], signal)
    if ('error' in outcome) {
      if (outcome.isLocal) throw new ReadingFailed(outcome.error, outcome.code)
      throw new WorkerFailed(outcome.error)
    }
    return outcome.done
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
   * Parses the email in the file `path`. Its files are in a new folder inside `folder`, which must exist and which the caller
   * deletes. Emails are parsed one after another unless one is slow. An email that cannot be parsed has the reader `source`.
   * Rejects with ReadingFailed if the system fails, and with the signal's reason.
   */
  read(path: string, folder: string, signal: AbortSignal): Promise<Mail>
  /** Folds the quotes of a reply. A reply whose quotes take too long or too much memory is shown whole. */
  fold(reply: Reply, earlier: Earlier, signal: AbortSignal): Promise<Folded>
  close(): Promise<void>
}

type Reply = { text: string; html: string | null }

async function foldOnce(
  worker: MailWorker,
  reply: Reply,
  earlier: Earlier,
  signal: AbortSignal,
): Promise<Folded> {
  const whole = { visibleText: reply.text, quotedText: '', visibleHtml: reply.html, quotedHtml: null }
  try {
    const outcome = await worker.run({ reply, earlier }, foldTimeoutMs, signal)
    return 'done' in outcome ? outcome.done : whole
  } catch (error) {
    if (error instanceof WorkerFailed) return whole
    throw error
  }
}

export function makeMailReader(options: MailReaderOptions = {}): MailReader {
  const { timeouts = defaultTimeouts, heapMb = 512, externalMb = 512, idleMs = 60_000 } = options
  const { workers = 2, slowMs = 1_000 } = options
  const readers = options.readers ?? new URL('./readers.ts', import.meta.url).href
  const pool = new WorkerPool(workers, slowMs, () => new MailWorker(readers, { heapMb, externalMb, idleMs }))
  const use = async <T>(signal: AbortSignal, work: (worker: MailWorker) => Promise<T>): Promise<T> => {
    const worker = await pool.take()
    try {
      signal.throwIfAborted()
      return await work(worker)
    } finally {
      pool.give(worker)
    }
  }
  return {
    read: (path, folder, signal) =>
      use(signal, worker => readOnce({ worker, timeouts, path, folder, signal })),
    fold: (reply, earlier, signal) => use(signal, worker => foldOnce(worker, reply, earlier, signal)),
    close: () => pool.end(),
  }
}
