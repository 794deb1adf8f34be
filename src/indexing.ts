import { setTimeout as pause } from 'node:timers/promises'
import { gatheredAnswers, indexedAnswers } from './canned-answers/canned-answers.ts'
import { gatheredContacts, indexedContacts } from './contacts/contacts.ts'
import { pauseAfter } from './core/async/pacing.ts'
import type { Db, Fragment, Sql } from './core/db/db.ts'
import type { DueJob } from './core/due/due-loop.ts'
import { type DueKind, noteDueRows, type WaitingWork } from './core/due/due-work.ts'
import { isId } from './core/ids.ts'
import type { Log } from './core/telemetry/log.ts'
import { indexVersion } from './core/words/vector.ts'
import { onLogChange } from './events/notifier.ts'
import { gatheredArticles, indexedArticles } from './knowledge/knowledge.ts'
import { gatheredMessages, indexedMessages } from './messages/messages.ts'
import { gatheredTickets, indexedTickets } from './tickets/tickets.ts'
import { type Gathered, gather, type Indexed, indexSome, unreadProjects } from './words/words.ts'

/**
 * Keeps the search index up to date: the words of each project, and rows that an older version or a restore has left unindexed.
 */

const indexed = [
  indexedTickets,
  indexedContacts,
  indexedArticles,
  indexedAnswers,
  indexedMessages,
] as Indexed<never>[]
const gathered = [
  gatheredTickets,
  gatheredContacts,
  gatheredArticles,
  gatheredAnswers,
  gatheredMessages,
] as Gathered<never>[]

/** Uses an index that contains only such rows. There are none except after an upgrade or a restore. */
const unindexed = (sql: Sql, { table }: Indexed<never>): Fragment =>
  sql`exists (select from ${sql(table)} x where x.project_id = p.id and x.search_version < ${sql.unsafe(String(indexVersion))})`

const waiting: WaitingWork = sql => {
  const any = indexed.map(one => unindexed(sql, one)).reduce((all, one) => sql`${all} or ${one}`)
  return sql`select id as project_id, now() as due_at from projects p where ${any}
    union all ${unreadProjects(sql)}`
}

/** Milliseconds between two log lines about the progress. */
const reportIntervalMs = 10_000

interface ReportedProgress {
  at: number
  count: number
  /** The approximate number of rows at the beginning, in all projects. */
  all: number
}

/** The size of that index when it was built or last analysed. */
async function estimate(db: Db, table: string): Promise<number> {
  const [row] = await db<{ rows: number }[]>`
    select greatest(reltuples, 0)::float8 as rows from pg_class where oid = to_regclass(${`${table}_unindexed`})`
  return row?.rows ?? 0
}

type Report = (db: Db, table: string, count: number) => Promise<void>

/** Logs how many rows have been indexed, as long as there are many. */
function createReport(log: Log): Report {
  const reported = new Map<string, ReportedProgress>()
  return async (db, table, count) => {
    const now = performance.now()
    const last = reported.get(table) ?? { at: now, count: 0, all: await estimate(db, table) }
    last.count += count
    reported.set(table, last)
    if (now - last.at < reportIntervalMs) return
    last.at = now
    const left = Math.max(last.all - last.count, 0)
    log.info(
      { table, rows: last.count, about_left: left },
      'Building the search index of this version; until then, rows that are not indexed are found as before',
    )
  }
}

/** Milliseconds of work before a pause; the last batch may take longer. */
const maxWorkMs = 400

async function indexAndRead(db: Db, projectId: string, report: Report): Promise<number> {
  let count = 0
  for (const one of indexed) {
    const some = await indexSome(db, projectId, one)
    if (some) await report(db, one.table, some)
    count += some
  }
  return count + (await gather(db, projectId, gathered))
}

/** Indexes some of a project's records. Nothing waits for it, so it pauses between batches. */
export function indexingJob(log: Log, maxPauseMs = Number.POSITIVE_INFINITY): DueJob {
  const report = createReport(log)
  return {
    name: 'keep the search up to date',
    kind: 'search',
    waiting,
    async run(db, projectId) {
      const startedAt = performance.now()
      let all = 0
      for (let some = -1; some !== 0 && performance.now() - startedAt < maxWorkMs; all += some)
        some = await indexAndRead(db, projectId, report)
      if (all > 0) await pause(Math.min(pauseAfter(performance.now() - startedAt), maxPauseMs))
      return all
    },
  }
}

/** Milliseconds during which changes are collected. */
const gatherIntervalMs = 1_000

/** Schedules these jobs for projects that have changes. If a notification is lost, the jobs find them within a minute. */
export function followChanges(db: Db, log: Log, kinds: readonly DueKind[]): { stop(): void } {
  const changed = new Set<string>()
  const note = async () => {
    if (changed.size === 0) return
    const ids = [...changed].sort()
    changed.clear()
    for (const id of ids)
      for (const kind of kinds)
        await noteDueRows(
          db,
          kind,
          db`select id as project_id, id as subject_id, now() as due_at from projects where id = ${id}`,
        )
  }
  const timer = setInterval(
    () =>
      void note().catch(error =>
        log.warn({ err: error }, 'Could not schedule the work for changes; they are found later'),
      ),
    gatherIntervalMs,
  )
  const unlisten = onLogChange(projectId => void (isId(projectId) && changed.add(projectId)))
  return {
    stop() {
      unlisten()
      clearInterval(timer)
    },
  }
}
