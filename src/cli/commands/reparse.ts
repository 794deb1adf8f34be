import { type RereadingDeps, type RereadOutcome, rereadMails } from '../../channels/email/log/reread-mails.ts'
import { countMailsToReread, type RereadRange } from '../../channels/email/log/reread-queries.ts'
import { parseTime } from '../../core/time.ts'
import { UserError } from '../../core/user-error.ts'
import { createStorages } from '../../media/media.ts'
import { findProject } from '../../projects/projects.ts'
import { count, output } from '../output.ts'
import { UsageError, type Values } from '../parse.ts'
import type { CliSession } from '../session.ts'
import { openMailVault } from './mail-vault.ts'

/** Reads the emails of many messages again: `mail reparse --since`. */

/** The maximum number of emails that the result lists. More are only counted, because the result is kept in memory. */
const maxListed = 1_000
const progressIntervalMs = 5_000
const dayMs = 86_400_000

export interface ReparseResult {
  is_applied: boolean
  /** How many emails were read again. */
  read: number
  changed: number
  failed: number
  /** Emails whose originals are no longer stored. */
  lost: number
  items: RereadOutcome[]
}

/** A date such as 2026-01-31, or a number of days such as 7d. */
function readSince(word: string): string {
  const days = /^(\d{1,5})d$/.exec(word)?.[1]
  const time = days ? new Date(Date.now() - Number(days) * dayMs).toISOString() : word
  const since = parseTime(time)
  if (since === null)
    throw new UsageError(`--since must be a date such as 2026-01-31, or days such as 7d, not "${word}"`)
  return since
}

/** The projects whose emails are read. A mailbox belongs to one. */
async function listProjects({ db }: CliSession, { project, mailbox }: Values): Promise<string[]> {
  if (project) await findProject(db, project)
  if (!mailbox && project) return [project]
  if (!mailbox) return (await db<{ id: string }[]>`select id from projects order by id`).map(row => row.id)
  const rows = await db<{ project_id: string }[]>`
    select m.project_id from projects p join mailboxes m on m.project_id = p.id where m.id::text = ${mailbox}`
  const ids = rows.map(row => row.project_id).filter(id => !project || id === project)
  if (ids.length === 0)
    throw new UserError(
      `Mailbox ${mailbox} not found; list mailboxes with bin/deskbell mailbox list --project PROJECT`,
    )
  return ids
}

/** Prints how many emails were read, every few seconds. */
function startProgress(total: number): (read: number) => void {
  let at = Date.now()
  return read => {
    if (Date.now() - at < progressIntervalMs) return
    at = Date.now()
    output.tell(`${read} of ${count(total, 'email')} read`)
  }
}

async function collect(deps: RereadingDeps, ranges: RereadRange[], isApplied: boolean) {
  const result: ReparseResult = { is_applied: isApplied, read: 0, changed: 0, failed: 0, lost: 0, items: [] }
  let total = 0
  for (const range of ranges) {
    const { stored, lost } = await countMailsToReread(deps.db, range)
    result.lost += lost
    total += stored
  }
  const tellProgress = startProgress(total)
  for (const range of ranges)
    for await (const outcome of rereadMails(deps, range, isApplied)) {
      result.read++
      if (outcome.error !== null) result.failed++
      else if (outcome.fields.length) result.changed++
      if ((outcome.error !== null || outcome.fields.length) && result.items.length < maxListed)
        result.items.push(outcome)
      tellProgress(result.read)
    }
  return result
}

export async function reparseSince(session: CliSession, values: Values): Promise<ReparseResult> {
  const since = readSince(values.since!)
  const projectIds = await listProjects(session, values)
  const vault = await openMailVault(session)
  const deps = { ...session, vault, storages: createStorages({ ...session, vault }) }
  const ranges = projectIds.map(projectId => ({ projectId, since, mailboxId: values.mailbox }))
  return collect(deps, ranges, values.apply !== undefined)
}

function drawOutcome({ id, subject, fields, line, error }: RereadOutcome): string {
  const head = `${id}  ${subject ?? '-'}`
  if (error !== null) return `${head}\n  could not be read: ${error}`
  const difference = line && `\n  - ${line.before}\n  + ${line.after}`
  return `${head}\n  ${fields.join(', ')}${difference ?? ''}`
}

function sayWhatNext({ is_applied, read, changed, failed, lost, items }: ReparseResult): string {
  const emails = count(read, 'email')
  return [
    changed + failed > items.length && `Only the first ${items.length} are listed.`,
    lost > 0 &&
      `${count(lost, 'email')} cannot be read again: the original is no longer stored (MAIL_RAW_DAYS).`,
    failed > 0 && `${count(failed, 'email')} could not be read.`,
    is_applied && `${changed} of ${emails} changed. All other messages are unchanged.`,
    !is_applied && changed === 0 && `None of ${emails} would change. There is nothing to do.`,
    !is_applied &&
      changed > 0 &&
      `${changed} of ${emails} would change. Nothing is stored yet: run the same command with --apply to store it.`,
  ]
    .filter(Boolean)
    .join('\n')
}

export const drawReparse = (result: ReparseResult): string =>
  [...result.items.map(drawOutcome), sayWhatNext(result)].join('\n\n')
