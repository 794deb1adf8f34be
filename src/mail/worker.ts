import { Worker } from 'node:worker_threads'
import { stringOf } from '../core/objects.ts'
import { errorOf } from '../core/thrown.ts'
import type { Mail } from './mail.ts'
import type { Earlier } from './quote-known.ts'
import { type Folded, foldQuotes } from './quotes.ts'
import { SpoolError } from './spool.ts'

/** Runs in a process of its own. Parses one email, or folds one email's quotes, at a time. */

export type Attempt = 'mailsplit' | 'rough' | 'postal-mime'

/** Parses an email. `folder` is only for the files of this email and does not exist yet. */
export type ReadAttempt = (path: string, folder: string, attempt: Attempt) => Promise<Mail>

interface ReadJob {
  path: string
  folder: string
  attempt: Attempt
}

interface FoldJob {
  reply: { text: string; html: string | null }
  earlier: Earlier
}

export type WorkerJob = ReadJob | FoldJob

/** `isLocal`: the system failed, for instance its disk, and not the email. */
interface JobFailure {
  error: string
  code: string | undefined
  isLocal: boolean
}

export type JobResult<J extends WorkerJob> = { done: J extends FoldJob ? Folded : Mail } | JobFailure

const [readers = '', memoryMb, parent] = process.argv.slice(2)

/** Ends this process if its parent was killed, or if it uses too much memory. A thread does this even if an email blocks the process. */
const watch = `
  const { parent, bytes } = require('node:worker_threads').workerData
  setInterval(() => {
    if (process.ppid !== parent || process.memoryUsage.rss() > bytes) process.kill(process.pid, 'SIGKILL')
  }, 200)`
const limits = { parent: Number(parent), bytes: Number(memoryMb) * 1024 * 1024 }
new Worker(watch, { eval: true, workerData: limits, env: {}, execArgv: [] }).unref()

// The parent ends this process when it has no more work. A signal to the process group must not interrupt a job.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
process.on('disconnect', () => process.exit())

const { readAttempt } = (await import(readers)) as { readAttempt: ReadAttempt }

const systemErrors = /^E(?:NOSPC|DQUOT|MFILE|NFILE|ACCES|PERM|ROFS|IO|NOENT|NOTDIR|ISDIR)$/

function describe(error: unknown): JobFailure {
  const { message, cause } = errorOf(error)
  const code = stringOf(error, 'code')
  const isLocal = error instanceof SpoolError || systemErrors.test(code ?? '')
  return { error: message, code: code ?? stringOf(cause, 'code'), isLocal }
}

const run = async (job: WorkerJob): Promise<Mail | Folded> =>
  'reply' in job ? foldQuotes(job.reply, job.earlier) : readAttempt(job.path, job.folder, job.attempt)

process.on('message', (job: WorkerJob) => {
  run(job).then(
    done => process.send!({ done }),
    error => process.send!(describe(error)),
  )
})
