import { pageAuditEntries } from '../../src/audit/list.ts'
import { deleteOldVisitors } from '../../src/channels/widget/old-visitors.ts'
import type { Db } from '../../src/core/db/db.ts'
import { analyzeGrownTables } from '../../src/core/db/statistics.ts'
import { newId } from '../../src/core/ids.ts'
import { newestSeqOf } from '../../src/events/log.ts'
import { listLogSlices } from '../../src/events/queries.ts'
import { deleteOldEvents } from '../../src/events/retention.ts'
import { deleteOldResponses } from '../../src/keys/idempotency.ts'
import { listArticles } from '../../src/knowledge/knowledge.ts'
import { deleteEndedWindows } from '../../src/limits/postgres.ts'
import { deleteExpiredMedia } from '../../src/media/media.ts'
import { deleteOldRequests, listRequests } from '../../src/requests/requests.ts'
import {
  closeForgottenTickets,
  deleteOldMerges,
  sendDueMessages,
  wakeTickets,
} from '../../src/tickets/tickets.ts'
import { createBacklog } from '../../src/webhooks/backlog.ts'
import { deleteEmptyWebhooks, deleteOldHistory } from '../../src/webhooks/cleanup-queries.ts'
import { listDeliveries } from '../../src/webhooks/deliveries.ts'
import { findOldestDueTime } from '../../src/webhooks/queries.ts'
import { claimDue } from '../../src/webhooks/queue.ts'
import type { Filled } from './fill.ts'

/** A list, claim or job, with its queries in a project or the whole installation. */
export interface Case {
  name: string
  run(db: Db, place: Filled): Promise<unknown>
}

type Query<T extends (...rest: never[]) => unknown> = Parameters<T>[2]

const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 19)

const cursorOf = async (list: (query: object) => Promise<{ next_cursor: string | null }>) =>
  (await list({ page_size: 100, page: 10, count: false })).next_cursor ?? undefined

/** The pages of a list: the first, at row 1,000, the next one by cursor, and the first of each filter. */
function pagesOf(
  name: string,
  list: (db: Db, place: Filled, query: object) => Promise<{ next_cursor: string | null }>,
  filters: [string, (place: Filled) => object][],
): Case[] {
  const make = (what: string, queryOf: (place: Filled) => object): Case => ({
    name: `${name} ${what}`.trimEnd(),
    run: (db, place) => list(db, place, queryOf(place)),
  })
  return [
    make('', () => ({})),
    make('(row 1,000)', () => ({ page: 50 })),
    {
      name: `${name} (cursor)`,
      run: async (db, place) =>
        list(db, place, { cursor: await cursorOf(query => list(db, place, query)), count: false }),
    },
    ...filters.map(([what, queryOf]) => make(what, queryOf)),
  ]
}

const deliveries = pagesOf(
  'deliveries',
  (db, { project, webhook }, query) =>
    listDeliveries(db, project, webhook, query as Parameters<typeof listDeliveries>[3]),
  [
    ['?status=failed', () => ({ status: ['failed'] })],
    ['?status=pending', () => ({ status: ['pending'] })],
    ['?status=cancelled', () => ({ status: ['cancelled'] })],
    ['?event=ticket.closed', () => ({ event: ['ticket.closed'] })],
    ['?event=webhook.test', () => ({ event: ['webhook.test'] })],
  ],
)

const requests = pagesOf(
  'requests',
  (db, { project }, query) => listRequests(db, project, query as Query<typeof listRequests>),
  [
    ['?status=5xx', () => ({ status: ['5xx'] })],
    ['?status=404', () => ({ status: ['404'] })],
    ['?method=POST', () => ({ method: ['POST'] })],
    ['?method=DELETE', () => ({ method: ['DELETE'] })],
    ['?path=/tickets/77', () => ({ path: '/tickets/77' })],
    ['?path=absent', () => ({ path: 'absent' })],
    ['?request_id', () => ({ request_id: 'request-500' })],
    ['?key_id', ({ key }) => ({ key_id: key })],
    ['?key_id=absent', ({ project }) => ({ key_id: project })],
    ['?created_before', () => ({ created_before: ago(5) })],
    ['?created_after', () => ({ created_after: ago(1) })],
  ],
)

const audit = pagesOf(
  'audit log',
  (db, { project }, query) => pageAuditEntries(db, project, query as Query<typeof pageAuditEntries>),
  [
    ['?action=key', () => ({ action: 'key' })],
    ['?action=absent', () => ({ action: 'absent' })],
    ['?author_id', ({ operator }) => ({ author_id: operator })],
    ['?target_id', () => ({ target_id: 'target-300' })],
    ['?target_id=absent', () => ({ target_id: 'absent' })],
    ['?created_before', () => ({ created_before: ago(300) })],
  ],
)

const articles = pagesOf(
  'articles',
  (db, { project }, query) => listArticles(db, project, query as Query<typeof listArticles>),
  [
    ['?q=billing', () => ({ q: 'billing' })],
    ['?q=orders', () => ({ q: 'orders' })],
    ['?locale=en', () => ({ locale: 'en' })],
    ['?tag=absent', () => ({ tag: ['absent'] })],
    ['?updated_after', () => ({ updated_after: ago(1) })],
  ],
)

const ask = (what: string, after: (newest: number) => number, types: string | null = null): Case => ({
  name: `updates ${what}`,
  async run(db, { project }) {
    const [row] = await db<{ seq: number }[]>`
      select ${newestSeqOf(db, db`c.project_id`)} as seq from project_counters c where project_id = ${project}`
    return listLogSlices(db, project, [{ projectId: project, after: after(row!.seq), limit: 100, types }])
  },
})

const updates: Case[] = [
  ask('after=0', () => 0),
  ask('after the middle', newest => Math.floor(newest / 2)),
  ask('at the end', newest => newest - 1),
  ask('after=0, a type', () => 0, 'ticket.closed'),
  ask('after=0, an absent type', () => 0, 'payment.absent'),
]

const room = { total: 64, cap: 8, project: 64, targets: [], projects: [] }

/** Jobs that find nothing to do, which is the usual case every second. */
const jobs: Case[] = [
  {
    name: 'claim: deliveries, none due',
    run: (db, { project }) =>
      claimDue(db, {
        id: newId(),
        capacity: room,
        lease: 15_000,
        projects: [project],
        backlogged: [],
      }),
  },
  { name: 'look: deliveries, none due', run: db => createBacklog(db).look() },
  { name: 'metric: oldest delivery that is due', run: db => findOldestDueTime(db) },
  { name: 'job: erase old history', run: db => deleteOldHistory(db, 1_000) },
  { name: 'job: erase deleted subscriptions', run: db => deleteEmptyWebhooks(db) },
  { name: 'job: send scheduled messages', run: (db, { project }) => sendDueMessages(db, project) },
  { name: 'job: wake snoozed tickets', run: (db, { project }) => wakeTickets(db, project) },
  { name: 'job: close forgotten tickets', run: db => closeForgottenTickets(db) },
  { name: 'job: analyse grown tables', run: db => analyzeGrownTables(db) },
  {
    name: 'job: delete old events',
    run: db => deleteOldEvents(db, { eventRetention: 8 * 86_400_000, readers: [] }),
  },
  {
    name: 'job: delete old requests',
    run: db => deleteOldRequests(db, { requestLogRetention: 8 * 86_400_000 }),
  },
  { name: 'job: delete expired rate-limit windows', run: db => deleteEndedWindows(db) },
  { name: 'job: delete unused files', run: db => deleteExpiredMedia(db) },
  { name: 'job: delete old merge records', run: db => deleteOldMerges(db) },
  { name: 'job: delete inactive visitors', run: db => deleteOldVisitors(db) },
  { name: 'job: delete old idempotency keys', run: db => deleteOldResponses(db) },
]

export const cases: Case[] = [...deliveries, ...requests, ...audit, ...articles, ...updates, ...jobs]
