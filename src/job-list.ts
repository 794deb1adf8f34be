import {
  deleteOldMails,
  expireOrders,
  findNotices,
  renewDue,
  sendBillingMail,
  waitingRenewals,
} from './billing/billing.ts'
import {
  deleteExpiredSignIns,
  deleteOldContents,
  deleteOldNoticeEmails,
  deleteOldUpdates,
  deleteOldVisitors,
  recheckDkimKeys,
  reportOutage,
  runProbes,
  sendDueReplies,
  sendNotices,
  waitingUnread,
} from './channels/channels.ts'
import { moveRemainingTickets, waitingTicketMoves } from './contacts/contacts.ts'
import type { Config } from './core/config/config.ts'
import type { Vault } from './core/crypto.ts'
import type { Db } from './core/db/db.ts'
import { analyzeGrownTables } from './core/db/statistics.ts'
import type { DueJob } from './core/due/due-loop.ts'
import type { Mailer } from './core/mail/mail.ts'
import type { Log } from './core/telemetry/log.ts'
import { createDeletions, waitingDeletions } from './deletions/deletions.ts'
import { deleteOldEvents } from './events/retention.ts'
import { deleteExpiredExports, waitingExports, writeExports } from './exports/exports.ts'
import { indexingJob } from './indexing.ts'
import { deleteOldResponses } from './keys/idempotency.ts'
import { deleteEndedWindows } from './limits/postgres.ts'
import { takeOffline, waitingPresence } from './live/live.ts'
import { deleteDueStrayObjects, deleteExpiredMedia, type Storages } from './media/media.ts'
import { waitingScheduled } from './messages/messages.ts'
import { endStatuses, waitingNotices, waitingStatusEnds } from './operators/operators.ts'
import { deleteOldRequests } from './requests/requests.ts'
import { applyTagChanges, waitingTagChanges } from './tags/tags.ts'
import {
  closeForgottenTickets,
  deleteOldMerges,
  sendDueMessages,
  waitingSnoozes,
  wakeTickets,
} from './tickets/tickets.ts'
import { deleteExpiredRows } from './users/users.ts'

/** All background jobs. */

export interface JobDeps {
  config: Config
  db: Db
  vault: Vault
  log: Log
}

/** Jobs with known due times. They run for each project with a row in due_work, and query no other project. */
export const dueJobsOf = (deps: JobDeps, storages: Storages, mailer: Mailer | null): DueJob[] => [
  { name: 'send scheduled messages', kind: 'messages', waiting: waitingScheduled, run: sendDueMessages },
  {
    name: 'send unread replies by email',
    kind: 'unread_replies',
    waiting: waitingUnread,
    run: (db, projectId) => sendDueReplies(db, projectId, deps),
  },
  { name: 'wake snoozed tickets', kind: 'snoozes', waiting: waitingSnoozes, run: wakeTickets },
  {
    name: 'set absent operators offline',
    kind: 'presence',
    waiting: waitingPresence,
    run: takeOffline,
  },
  {
    name: 'end expired statuses',
    kind: 'statuses',
    waiting: waitingStatusEnds,
    run: endStatuses,
  },
  { name: 'apply tag changes', kind: 'tags', waiting: waitingTagChanges, run: applyTagChanges },
  {
    name: 'move tickets of merged contacts',
    kind: 'merges',
    waiting: waitingTicketMoves,
    run: moveRemainingTickets,
  },
  indexingJob(deps.log),
  { name: 'renew plans', kind: 'renewals', waiting: waitingRenewals, run: renewDue },
  {
    name: 'write exports',
    kind: 'exports',
    waiting: waitingExports,
    run: (db, projectId) => writeExports({ ...deps, db, storages }, projectId),
  },
  {
    name: 'email operators about their tickets',
    kind: 'notices',
    waiting: waitingNotices,
    run: (db, projectId) => sendNotices(db, projectId, { ...deps, mailer }),
  },
  {
    name: 'delete projects',
    kind: 'deletions',
    waiting: waitingDeletions,
    run: createDeletions({ ...deps, storages }),
  },
]

/** Jobs for old data and rare events. They query the tables of all projects, some of them once a minute. */
export interface Job {
  name: string
  everyMs: number
  /** Does some of the due work and returns how much. */
  run(db: Db): Promise<number>
}

export const jobsOf = ({ config, vault, log }: JobDeps, storages: Storages, mailer: Mailer | null): Job[] => [
  { name: 'analyse grown tables', everyMs: 2_000, run: analyzeGrownTables },
  { name: 'find renewals that will fail', everyMs: 60_000, run: findNotices },
  {
    name: 'send billing mails',
    everyMs: 60_000,
    run: db => sendBillingMail(db, mailer && { ...config, mailer }),
  },
  {
    name: 'email admins about mailboxes that fail',
    everyMs: 60_000,
    run: db => reportOutage(db, mailer && { ...config, mailer }),
  },
  { name: 'test mailboxes', everyMs: 10_000, run: db => runProbes({ config, db, vault }) },
  { name: 'check DKIM records', everyMs: 600_000, run: recheckDkimKeys },
  { name: 'expire unpaid orders', everyMs: 60_000, run: expireOrders },
  { name: 'delete old billing mails', everyMs: 600_000, run: deleteOldMails },
  { name: 'close forgotten tickets', everyMs: 60_000, run: closeForgottenTickets },
  { name: 'delete old events', everyMs: 60_000, run: db => deleteOldEvents(db, config) },
  { name: 'delete old requests', everyMs: 60_000, run: db => deleteOldRequests(db, config) },
  { name: 'delete expired rate-limit windows', everyMs: 60_000, run: deleteEndedWindows },
  { name: 'delete unused files', everyMs: 60_000, run: deleteExpiredMedia },
  { name: 'remove stray objects', everyMs: 60_000, run: db => deleteDueStrayObjects(db, storages, log) },
  { name: 'delete old merge records', everyMs: 600_000, run: deleteOldMerges },
  { name: 'delete old exports', everyMs: 600_000, run: deleteExpiredExports },
  { name: 'delete ended sessions and links', everyMs: 600_000, run: deleteExpiredRows },
  { name: 'delete inactive visitors', everyMs: 600_000, run: db => deleteOldVisitors(db) },
  {
    name: 'delete originals of old mails',
    everyMs: 600_000,
    run: db => deleteOldContents(db, config.mailRawDays),
  },
  { name: 'delete expired sign-ins of mailboxes', everyMs: 600_000, run: deleteExpiredSignIns },
  { name: 'delete old emails to operators', everyMs: 600_000, run: deleteOldNoticeEmails },
  { name: 'delete old updates of Telegram bots', everyMs: 600_000, run: db => deleteOldUpdates(db) },
  { name: 'delete old idempotency keys', everyMs: 600_000, run: deleteOldResponses },
]
