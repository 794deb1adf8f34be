import { parentPort, workerData } from 'node:worker_threads'
import type { Mail } from './mail.ts'
import { SpoolError } from './spool.ts'

/** Runs in a worker thread and parses one email at a time. */

export type Attempt = 'mailsplit' | 'rough' | 'postal-mime'

/** Parses an email. `folder` is only for the files of this email and does not exist yet. */
export type ReadAttempt = (path: string, folder: string, attempt: Attempt) => Promise<Mail>

export interface Job {
  path: string
  folder: string
  attempt: Attempt
}

/** `isLocal`: the system failed, for instance its disk, and not the email. */
export type ReadResult = { mail: Mail } | { error: string; code: string | undefined; isLocal: boolean }

const { readers } = workerData as { readers: string }
const { readAttempt } = (await import(readers)) as { readAttempt: ReadAttempt }

const systemErrors = /^E(?:NOSPC|DQUOT|MFILE|NFILE|ACCES|PERM|ROFS|IO|NOENT|NOTDIR|ISDIR)$/

function describe(error: unknown): ReadResult {
  const { message, code, cause } = error as Error & { code?: string; cause?: { code?: string } }
  const isLocal = error instanceof SpoolError || systemErrors.test(code ?? '')
  return { error: message, code: code ?? cause?.code, isLocal }
}

parentPort!.on('message', ({ path, folder, attempt }: Job) => {
  readAttempt(path, folder, attempt).then(
    mail => parentPort!.postMessage({ mail } satisfies ReadResult),
    error => parentPort!.postMessage(describe(error)),
  )
})
parentPort!.postMessage('ready')
