import { setTimeout as pause } from 'node:timers/promises'
import { createRhythm } from '../../../core/async/rhythm.ts'
import type { Db, Sql } from '../../../core/db/db.ts'
import { listDue, noteMissing, postpone } from '../../../core/due/due-work.ts'
import type { Log } from '../../../core/telemetry/log.ts'
import { errorOf } from '../../../core/thrown.ts'
import {
  type ClaimedMail,
  lockStoredMails,
  type MailResult,
  nextStoredMail,
  storedMails,
  updateMailHandled,
  updateMailLease,
  updateMailPostponed,
} from './incoming-queries.ts'
import { countHandled, countOutcome } from './mail-metrics.ts'
import type { MailOutcome } from './outcomes.ts'
import { onStoredMail } from './stored-notifier.ts'

/** Passes stored emails to the function that processes them. A slow email does not delay the others. */

/**
 * Must call `finishMail` in the transaction that makes its changes, and returns the outcome; null if the email has none yet. If
 * it rejects, the email is retried.
 */
export type OnMail = (mail: ClaimedMail) => Promise<MailOutcome | null>

/** Records an email's outcome and returns it; null if another process has claimed it since: the caller must then roll back. */
export const finishMail = async (
  sql: Sql,
  mail: Pick<ClaimedMail, 'project_id' | 'id' | 'attempts'>,
  result: MailResult,
): Promise<MailOutcome | null> =>
  (await updateMailHandled(sql, mail, result)) ? (result.outcome ?? null) : null

/** Milliseconds. Renewed while an email is handled, so that only the emails of a crashed process are claimed again. */
const leaseMs = 180_000
const tickMs = 1_000
const checkEveryMs = 60_000
const firstPauseMs = 5_000
const maxAttempts = 5

/** The maximum number of emails that a process handles concurrently, in total and per project. */
const maxAtOnce = 16
const maxPerProject = 8

const reasonOf = (error: unknown): string => String(errorOf(error).message).replaceAll('\0', '').slice(0, 500)

interface HandleDeps {
  db: Db
  log: Log
  onMail: OnMail
}

/** Attempts since the email arrived, or since a person decided about it. */
const attemptOf = ({ attempts, decision }: ClaimedMail): number => attempts - (decision?.attempts ?? 0)

async function noteFailure({ db, log }: HandleDeps, mail: ClaimedMail, error: unknown): Promise<void> {
  log.warn({ err: error, mail: mail.id, attempt: attemptOf(mail) }, 'Could not handle an email')
  const reason = reasonOf(error)
  if (attemptOf(mail) >= maxAttempts) {
    countHandled('failed')
    if (mail.message_id === null) countOutcome('error')
    const failed = { state: 'failed', outcome: 'error', reason } as const
    // A message that could not be read again does not change.
    const result = mail.message_id ? { state: 'done' as const } : failed
    await updateMailHandled(db, mail, { ...result, last_error: reason })
    return
  }
  countHandled('retried')
  await updateMailPostponed(db, mail, { reason, waitMs: firstPauseMs * 4 ** (attemptOf(mail) - 1) })
}

function createHandling(deps: HandleDeps, wake: (projectId: string) => void) {
  const { db, log, onMail } = deps
  const running = new Map<Promise<void>, string>()
  /** Suspects are handled one at a time. Otherwise, when an email ends the process, the other suspects would fail with it. */
  let hasSuspect = false

  async function handle(mail: ClaimedMail): Promise<void> {
    const renewing = setInterval(() => {
      updateMailLease(db, mail, leaseMs).catch(error => log.warn({ err: error }, 'Could not renew a lease'))
    }, leaseMs / 3)
    try {
      if (attemptOf(mail) > maxAttempts) throw new Error('The process ended while it handled this email')
      const outcome = await onMail(mail)
      if (!outcome) return
      countHandled('handled')
      countOutcome(outcome)
    } catch (error) {
      await noteFailure(deps, mail, error).catch((lost: unknown) =>
        log.warn({ err: lost, mail: mail.id }, 'Could not record why handling an email failed'),
      )
    } finally {
      clearInterval(renewing)
    }
  }

  const countOf = (projectId: string): number => [...running.values()].filter(id => id === projectId).length

  /** The project with the fewest running emails; null if none may start another one. */
  function findNext(projectIds: Iterable<string>): string | null {
    if (running.size >= maxAtOnce) return null
    const counts = [...projectIds].map(id => ({ id, count: countOf(id) }))
    const [next] = counts.filter(one => one.count < maxPerProject).sort((a, b) => a.count - b.count)
    return next?.id ?? null
  }

  /** Returns whether it found an email. */
  async function claimOne(projectId: string): Promise<boolean> {
    const [mail] = await lockStoredMails(db, projectId, { limit: 1, leaseMs, withSuspects: !hasSuspect })
    if (!mail) return false
    hasSuspect ||= mail.is_suspect
    const work = handle(mail).finally(() => {
      running.delete(work)
      if (mail.is_suspect) hasSuspect = false
      wake(projectId)
    })
    running.set(work, projectId)
    return true
  }

  return { running, findNext, claimOne }
}

/** Projects that may have due emails. */
function createQueue({ db }: HandleDeps, { findNext, claimOne }: ReturnType<typeof createHandling>) {
  const projects = new Set<string>()
  const isTimeToCheck = createRhythm(checkEveryMs)

  /**
   * Claims emails until none are due or this process has reached its limit. Each one is claimed for the project with the fewest
   * running emails, so that a project with many does not delay others.
   */
  async function claimAll(stopping: AbortSignal): Promise<void> {
    const ended = new Set<string>()
    for (let id = findNext(projects); id && !stopping.aborted; id = findNext(projects)) {
      projects.delete(id)
      if (await claimOne(id)) projects.add(id)
      else ended.add(id)
    }
    const done = [...ended].map(id => ({ project_id: id, subject_id: id }))
    await postpone(db, 'mails', done, nextStoredMail)
  }

  async function look(): Promise<void> {
    if (isTimeToCheck())
      await noteMissing(
        db,
        db`select 'mails'::text as kind, project_id, project_id as subject_id, due_at from (${storedMails(db)}) w`,
      )
    for (const { project_id } of await listDue(db, ['mails'], 0, 1_000)) projects.add(project_id)
  }

  return { projects, claimAll, look }
}

/** Handles stored emails until stopped. Any number of processes can run this. */
export function startHandling(deps: HandleDeps): { stop(): Promise<void> } {
  const stopping = new AbortController()
  let resting = new AbortController()
  const wake = (projectId: string): void => {
    queue.projects.add(projectId)
    resting.abort()
  }
  const handling = createHandling(deps, wake)
  const queue = createQueue(deps, handling)

  async function take(): Promise<void> {
    await queue.claimAll(stopping.signal)
    if (resting.signal.aborted) return
    await queue.look()
    await queue.claimAll(stopping.signal)
  }

  async function follow(): Promise<void> {
    while (!stopping.signal.aborted) {
      resting = new AbortController()
      await take().catch(error =>
        deps.log.error({ err: error }, 'Could not look for stored emails; will retry'),
      )
      const signal = AbortSignal.any([stopping.signal, resting.signal])
      await pause(tickMs, null, { signal }).catch(() => {})
    }
  }

  const unlisten = onStoredMail(wake)
  const following = follow()
  return {
    async stop() {
      unlisten()
      stopping.abort()
      await following
      await Promise.all(handling.running.keys())
    },
  }
}
