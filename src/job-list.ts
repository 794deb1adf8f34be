import {
  deleteOldMails,
  expireOrders,
  findNotices,
  renewDue,
  sendBillingMail,
  waitingRenewals,
} from './billing/billing.ts'
import { channelDueJobs, channelJobs } from './channels/registry.ts'
import { deleteOldContactMerges, moveRemainingTickets, waitingTicketMoves } from './contacts/contacts.ts'
import type { Config } from './core/config/config.ts'
import type { Vault } from './core/crypto.ts'
import type { Db } from './core/db/db.ts'
import { analyzeGrownTables } from './core/db/statistics.ts'
import type { DueJob } from './core/due/due-loop.ts'
import type { Job } from './core/due/job.ts'
import type { Mailer } from './core/mail/mail.ts'
import type { Log } from './core/telemetry/log.ts'
import { createDeletions, waitingDeletions } from './deletions/deletions.ts'
import { createReaderJob } from './events/cursor.ts'
import { deleteOldEvents } from './events/retention.ts'
import { retryTickets } from './events/set-aside.ts'
import { deleteExpiredExports, waitingExports, writeExports } from './exports/exports.ts'
import { continueRemovals, waitingRemovals } from './imports/imports.ts'
import { indexingJob } from './indexing.ts'
import { deleteOldResponses } from './keys/idempotency.ts'
import { deleteEndedWindows } from './limits/postgres.ts'
import { takeOffline, waitingPresence } from './live/live.ts'
import { logReaders, readerNames } from './log-readers.ts'
import { deleteDueStrayObjects, deleteExpiredMedia, type Storages } from './media/media.ts'
import { waitingScheduled } from './messages/messages.ts'
import { createDigestSending, createPushing, waitingDigests } from './notifications/notifications.ts'
import { endStatuses, waitingPushes, waitingStatusEnds } from './operators/operators.ts'
import { continueJoins, waitingJoins } from './organizations/organizations.ts'
import { continueDataDeletions, waitingDataDeletions } from './personal-data/personal-data.ts'
import { deleteOldRequests } from './requests/requests.ts'
import { applyTagChanges, waitingTagChanges } from './tags/tags.ts'
import {
  closeForgottenTickets,
  deleteOldMerges,
  estimateHistories,
  sendDueMessages,
  waitingEstimates,
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
  ...channelDueJobs({ ...deps, mailer }),
  { name: 'push notifications', kind: 'pushes', waiting: waitingPushes, run: createPushing(deps) },
  {
    name: 'send digests',
    kind: 'digests',
    waiting: waitingDigests,
    run: createDigestSending({ ...deps, mailer }),
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
  {
    name: 'add contacts to organizations',
    kind: 'organizations',
    waiting: waitingJoins,
    run: continueJoins,
  },
  { name: 'estimate histories', kind: 'histories', waiting: waitingEstimates, run: estimateHistories },
  indexingJob(deps.log),
  ...logReaders.map(createReaderJob),
  { name: 'renew plans', kind: 'renewals', waiting: waitingRenewals, run: renewDue },
  {
    name: 'write exports',
    kind: 'exports',
    waiting: waitingExports,
    run: (db, projectId) => writeExports({ ...deps, db, storages }, projectId),
  },
  { name: 'remove imports', kind: 'imports', waiting: waitingRemovals, run: continueRemovals },
  {
    name: 'delete personal data',
    kind: 'data_deletions',
    waiting: waitingDataDeletions,
    run: (db, projectId) => continueDataDeletions({ ...deps, db, storages }, projectId),
  },
  {
    name: 'delete projects',
    kind: 'deletions',
    waiting: waitingDeletions,
    run: createDeletions({ ...deps, storages }),
  },
]

/** Jobs for old data and rare events. They query the tables of all projects, some of them once a minute. */
export const jobsOf = (deps: JobDeps, storages: Storages, mailer: Mailer | null): Job[] => [
  { name: 'analyse grown tables', everyMs: 2_000, run: analyzeGrownTables },
  { name: 'find renewals that will fail', everyMs: 60_000, run: findNotices },
  {
    name: 'send billing mails',
    everyMs: 60_000,
    run: db => sendBillingMail(db, mailer && { ...deps.config, mailer }),
  },
  { name: 'expire unpaid orders', everyMs: 60_000, run: expireOrders },
  { name: 'delete old billing mails', everyMs: 600_000, run: deleteOldMails },
  { name: 'close forgotten tickets', everyMs: 60_000, run: closeForgottenTickets },
  {
    name: 'delete old events',
    everyMs: 60_000,
    run: db => deleteOldEvents(db, { ...deps.config, readers: readerNames }),
  },
  ...logReaders.map(reader => ({
    name: `retry tickets that ${reader.name} could not read`,
    everyMs: 600_000,
    run: (db: Db) => retryTickets(db, reader),
  })),
  { name: 'delete old requests', everyMs: 60_000, run: db => deleteOldRequests(db, deps.config) },
  { name: 'delete expired rate-limit windows', everyMs: 60_000, run: deleteEndedWindows },
  { name: 'delete unused files', everyMs: 60_000, run: deleteExpiredMedia },
  { name: 'remove stray objects', everyMs: 60_000, run: db => deleteDueStrayObjects(db, storages, deps.log) },
  { name: 'delete old merge records', everyMs: 600_000, run: deleteOldMerges },
  { name: 'delete old merges of contacts', everyMs: 600_000, run: deleteOldContactMerges },
  { name: 'delete old exports', everyMs: 600_000, run: deleteExpiredExports },
  { name: 'delete ended sessions and links', everyMs: 600_000, run: deleteExpiredRows },
  { name: 'delete old idempotency keys', everyMs: 600_000, run: deleteOldResponses },
  ...channelJobs({ ...deps, mailer }),
]
