import { setTimeout as pause } from 'node:timers/promises'
import { connectChannels } from './channels/registry.ts'
import { pauseAfter } from './core/async/pacing.ts'
import { startDueLoop } from './core/due/due-loop.ts'
import type { Job } from './core/due/job.ts'
import { createMailer } from './core/mail/mail.ts'
import { runTraced } from './core/telemetry/traced-job.ts'
import { followChanges } from './indexing.ts'
import { dueJobsOf, type JobDeps, jobsOf } from './job-list.ts'
import { countJobRuns } from './job-runs.ts'
import { readerNames } from './log-readers.ts'
import { createStorages, signLinksWith } from './media/media.ts'

/** Runs the background jobs. */

/**
 * Runs a job once and returns how long to wait before the next run. Jobs that run once a minute pause between batches, because no
 * request waits for them.
 */
async function runOnce(job: Job, { db, log }: Pick<JobDeps, 'db' | 'log'>): Promise<number> {
  const startedAt = performance.now()
  try {
    if ((await runTraced(job.name, () => job.run(db))) === 0) return job.everyMs
    return job.everyMs < 60_000 ? 0 : pauseAfter(performance.now() - startedAt)
  } catch (error) {
    log.error({ err: error, job: job.name }, 'Job failed; it will be retried')
    return job.everyMs
  }
}

/** Runs a job until nothing is due, then again after its pause. After an error, it waits for the next run. */
function repeat(job: Job, deps: Pick<JobDeps, 'db' | 'log'>, first: number): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const work = async () => {
    let rest = first
    while (!stopping.signal.aborted) {
      await pause(rest, null, { signal: stopping.signal }).catch(() => {})
      if (!stopping.signal.aborted) rest = await runOnce(job, deps)
    }
  }
  const working = work()
  return {
    async stop() {
      stopping.abort()
      await working
    },
  }
}

export function startJobs(deps: JobDeps): { stop(): Promise<void> } {
  signLinksWith(deps.vault)
  connectChannels(deps)
  const storages = createStorages(deps)
  const mailer = createMailer(deps.config)
  const dueJobs = dueJobsOf(deps, storages, mailer).map(job => ({
    ...job,
    run: countJobRuns(job.name, job.run, 'when due', (_db, projectId) => projectId),
  }))
  const jobs = jobsOf(deps, storages, mailer).map(job => ({
    ...job,
    run: countJobRuns(job.name, job.run, 'regularly'),
  }))
  // Started one after the other, they share a connection. All at once, each would open its own.
  const running = [
    startDueLoop({ ...deps, count: look => countJobRuns('check for due work', look, 'regularly') }, dueJobs),
    ...jobs.map((job, index) => repeat(job, deps, (index * 1_000) / jobs.length)),
  ]
  const following = followChanges(deps.db, deps.log, ['search', ...readerNames])
  return {
    async stop() {
      following.stop()
      await Promise.all(running.map(job => job.stop()))
    },
  }
}
