import type { Config } from './core/config/config.ts'
import { SetupError } from './core/config/setup-error.ts'
import { metric } from './core/telemetry/metrics.ts'
import { errorOf } from './core/thrown.ts'

/** Counts the runs of the background jobs of this process. */

/** A job that runs only when something is due may not run for months. */
type Rhythm = 'regularly' | 'when due'

interface Runs {
  rhythm: Rhythm
  succeeded: number
  failed: number
  /** Seconds since 1970, initially the start, so that a job that never succeeds becomes late. */
  lastSuccess: number
  /** By project; for a job of all projects, the key is ''. */
  failing: Map<string, Failing>
}

interface Failing {
  /** Failures in a row. */
  failures: number
  /** The message of the last failure, and its time in seconds since 1970. */
  reason: string
  at: number
}

/** How many projects of a job are counted separately. */
const maxFailing = 1_000

/** Seconds. Failed work of a project is repeated every minute, so after this time another process has done it, or it no longer exists. */
const maxSilenceSeconds = 900

const jobs = new Map<string, Runs>()

const now = (): number => Date.now() / 1_000

function open(name: string, rhythm: Rhythm): Runs {
  const runs = { rhythm, succeeded: 0, failed: 0, lastSuccess: now(), failing: new Map() }
  jobs.set(name, runs)
  return runs
}

function dropSilent(failing: Runs['failing']): void {
  for (const [project, { at }] of failing)
    if (project && now() - at > maxSilenceSeconds) failing.delete(project)
}

function noteFailure({ failing }: Runs, project: string, error: unknown): void {
  const failures = (failing.get(project)?.failures ?? 0) + 1
  if (failing.size >= maxFailing) dropSilent(failing)
  if (failures > 1 || failing.size < maxFailing)
    failing.set(project, { failures, reason: errorOf(error).message, at: now() })
}

/** Counts the results of this job, separately for each project if it runs for one. */
export function countJobRuns<A extends unknown[], T>(
  name: string,
  run: (...given: A) => Promise<T>,
  rhythm: Rhythm,
  projectOf: (...given: A) => string = () => '',
): (...given: A) => Promise<T> {
  const runs = open(name, rhythm)
  return async (...given) => {
    const project = projectOf(...given)
    try {
      const done = await run(...given)
      Object.assign(runs, { succeeded: runs.succeeded + 1, lastSuccess: now() })
      runs.failing.delete(project)
      return done
    } catch (error) {
      runs.failed++
      noteFailure(runs, project, error)
      throw error
    }
  }
}

const samples = (read: (runs: Runs) => number, labels = {}, among = [...jobs]) =>
  among.map(([job, runs]) => ({ labels: { job, ...labels }, value: read(runs) }))

metric(
  'deskbell_job_runs_total',
  'Runs of background jobs by this process; a failed job is retried',
  () => [
    ...samples(runs => runs.succeeded, { result: 'succeeded' }),
    ...samples(runs => runs.failed, { result: 'failed' }),
  ],
  'counter',
)

metric(
  'deskbell_job_last_success_timestamp_seconds',
  'When a regular job last succeeded in this process, or when the process started, in seconds since 1970',
  () =>
    samples(
      runs => runs.lastSuccess,
      {},
      [...jobs].filter(([, { rhythm }]) => rhythm === 'regularly'),
    ),
)

/** More failures in a row than this are not a temporary problem. */
const maxFailures = 3

/** Describes a failing job; null if it does not fail, or only occasionally. */
function describeJob(name: string, { failing }: Runs): string | null {
  dropSilent(failing)
  const lasting = [...failing].filter(([, { failures }]) => failures >= maxFailures)
  const [first] = lasting
  if (!first) return null
  const [project, { failures, reason }] = first
  const others = lasting.length > 1 ? `, one of ${lasting.length} projects` : ''
  const where = project ? ` for project ${project}${others}` : ''
  return `"${name}" has failed ${failures} times in a row${where} (${reason})`
}

export function describeFailingJobs({ roles }: Pick<Config, 'roles'>): string {
  const failing = [...jobs].map(([name, runs]) => describeJob(name, runs)).filter(text => text !== null)
  if (failing.length) throw new SetupError(`${failing.join('; ')}; see the log for details`)
  if (jobs.size) return `${jobs.size} run in this process, none is failing`
  return roles.has('jobs') ? 'run by the server' : 'run by other processes'
}
