import type { Db } from './core/db.ts'
import type { Log } from './core/log.ts'
import { analyzeGrownTables } from './core/statistics.ts'
import { deleteOldEvents } from './events/retention.ts'
import { deleteOldAnswers } from './keys/idempotency.ts'
import { sendDueMessages } from './messages/messages.ts'
import { closeForgottenTickets, wakeTickets } from './tickets/tickets.ts'

/** Background work. Every job finds its own work in the tables, so nothing is queued and nothing can be lost. */
interface Job {
  name: string
  everyMs: number
  /** Does some of what is due and answers how much it was. */
  run(db: Db): Promise<number>
}

const jobs: Job[] = [
  { name: 'send scheduled messages', everyMs: 1_000, run: sendDueMessages },
  { name: 'wake snoozed tickets', everyMs: 1_000, run: wakeTickets },
  { name: 'analyse grown tables', everyMs: 2_000, run: analyzeGrownTables },
  { name: 'close forgotten tickets', everyMs: 60_000, run: closeForgottenTickets },
  { name: 'delete old events', everyMs: 60_000, run: deleteOldEvents },
  { name: 'delete old idempotency keys', everyMs: 600_000, run: deleteOldAnswers },
]

interface Deps {
  db: Db
  log: Log
}

/** Runs a job until nothing is due, then again after its pause; an error waits for the next time. */
function repeat(job: Job, { db, log }: Deps): { stop(): Promise<void> } {
  let isStopped = false
  let timer: NodeJS.Timeout
  const work = async () => {
    try {
      while (!isStopped && (await job.run(db)) > 0);
    } catch (error) {
      log.error({ err: error, job: job.name }, 'job failed; it is tried again')
    }
  }
  let working: Promise<void>
  const turn = () => {
    working = work().then(() => {
      if (!isStopped) timer = setTimeout(turn, job.everyMs)
    })
  }
  turn()
  return {
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await working
    },
  }
}

export function startJobs(deps: Deps): { stop(): Promise<void> } {
  const running = jobs.map(job => repeat(job, deps))
  return {
    async stop() {
      await Promise.all(running.map(job => job.stop()))
    },
  }
}
