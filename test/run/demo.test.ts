import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openDataDir } from '../../bench/data.ts'
import type { Db } from '../../src/core/db/db.ts'
import { makeFile } from '../cast.ts'
import { addressOf, createDatabase } from '../database.ts'
import { deskbell, makeDataDir, makeFolder, run, stopServer, untilReady } from './program.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects to be there
type Answer = any

/** The command line on a shared database, so that commands need not start Postgres. */
async function setUp(context: TestContext) {
  const { db, target, drop } = await createDatabase()
  context.after(drop)
  const settings = { DATA_DIR: makeFolder(context), DATABASE_URL: addressOf(target) }
  const ask = (...words: string[]) => deskbell(settings, ...words)
  const read = async (...words: string[]): Promise<Answer> => {
    const { status, stdout, stderr } = await ask(...words, '--json')
    assert.equal(status, 0, stderr)
    return JSON.parse(stdout)
  }
  return { db, ask, read }
}

const tables =
  'widgets webhooks telegram_bots telegram_chats telegram_messages saved_views canned_answers custom_fields articles categories tickets contacts tags departments operators messages drafts mentions message_reactions demo_records'.split(
    ' ',
  )

/** The number of a project's rows in each table that the demo fills. */
async function countRows(db: Db, projectId: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of tables) {
    const [row] = await db`select count(*)::int as n from ${db(table)} where project_id = ${projectId}`
    counts[table] = row!.n
  }
  return counts
}

async function countIn(DATA_DIR: string, projectId: string): Promise<Record<string, number>> {
  const { db, close } = await openDataDir(DATA_DIR)
  const counts = await countRows(db, projectId)
  await close()
  return counts
}

async function start(context: TestContext, DATA_DIR: string) {
  const server = run(process.execPath, ['src/main.ts', '--demo'], { DATA_DIR })
  context.after(() => void server.child.kill('SIGKILL'))
  await untilReady(server)
  return stopServer(server)
}

test('--demo fills an empty installation, and changes nothing if there are tickets', async context => {
  const DATA_DIR = makeDataDir(context)
  const first = await start(context, DATA_DIR)
  const [, id] = /Demo data added: 64 tickets.*demo --project (\S+) --remove\n/.exec(first.stdout) ?? []
  assert.ok(id, first.stdout)
  const counts = await countIn(DATA_DIR, id)
  assert.deepEqual([counts.tickets, counts.operators, counts.departments, counts.articles], [64, 5, 3, 8])
  const second = await start(context, DATA_DIR)
  assert.match(second.stdout, /Nobody can sign in yet/)
  assert.match(second.stdout, /"My project" already has tickets, so no demo data was added/)
  assert.deepEqual(await countIn(DATA_DIR, id), counts)
})

/**
 * The number of a project's rows in each table. Pictures and due work are excluded, because they are deleted
 * later, as for any ticket.
 */
async function countAll(db: Db, projectId: string): Promise<Record<string, number>> {
  const found = await db<{ name: string }[]>`
    select table_name as name from information_schema.columns join information_schema.tables using (table_name)
    where columns.table_schema = 'public' and column_name = 'project_id' and table_type = 'BASE TABLE'
      and table_name not in ('media', 'stray_objects', 'due_work')`
  const counts: Record<string, number> = {}
  for (const { name } of found) {
    const [row] = await db`select count(*)::int as n from ${db(name)} where project_id = ${projectId}`
    counts[name] = row!.n
  }
  return counts
}

/** Adds a picture to an article. */
async function addPicture(db: Db, project: { id: string }): Promise<void> {
  const file = await makeFile(db, project)
  await db`
    update media set is_article_picture = true, expires_at = null where project_id = ${project.id} and id = ${file}`
  await db`
    insert into article_pictures (project_id, article_id, locale, is_published, media_id)
    select project_id, article_id, locale, true, ${file} from article_translations
    where project_id = ${project.id} order by article_id limit 1`
}

const countKeptFiles = async (db: Db, projectId: string): Promise<number> =>
  (await db`select from media where project_id = ${projectId} and expires_at is null`).count

test('demo --remove deletes all that the demo created, and nothing else', async context => {
  const { db, ask, read } = await setUp(context)
  const [acme, rival] = [
    await read('project', 'create', '--name', 'Acme'),
    await read('project', 'create', '--name', 'Rival'),
  ]
  await read('department', 'create', '--project', acme.id, '--name', 'Sales')
  const before = await countAll(db, acme.id)
  await read('demo', '--project', rival.id)
  const rivals = await countAll(db, rival.id)
  assert.equal((await read('demo', '--project', acme.id)).tickets, 64)
  assert.equal((await ask('demo', '--project', acme.id)).status, 2)
  await addPicture(db, acme)
  assert.equal((await read('demo', '--project', acme.id, '--remove')).tickets, 64)
  assert.equal(await countKeptFiles(db, acme.id), 0)
  // The audit log keeps that the demo was added and removed.
  assert.deepEqual(await countAll(db, acme.id), { ...before, audit_entries: before.audit_entries! + 2 })
  assert.deepEqual(await countAll(db, rival.id), rivals)
  assert.equal((await ask('demo', '--project', acme.id, '--remove')).status, 2)
})

test('demo refuses a project with active webhooks, and adds nothing to the event log', async context => {
  const { db, ask, read } = await setUp(context)
  const { id } = await read('project', 'create', '--name', 'Acme')
  await db`
    insert into webhooks (project_id, id, url, secret) values (${id}, gen_random_uuid(), 'https://acme.example/', '')`
  const before = await countAll(db, id)
  const refused = await ask('demo', '--project', id)
  assert.equal(refused.status, 2)
  assert.match(refused.stderr, /"Acme" has active webhooks, .* turn the webhooks off/)
  assert.deepEqual(await countAll(db, id), before)
  await db`update webhooks set is_active = false where project_id = ${id}`
  await read('demo', '--project', id)
  const { events, webhook_queue, webhook_deliveries } = await countAll(db, id)
  assert.deepEqual(
    { events, webhook_queue, webhook_deliveries },
    { events: 0, webhook_queue: 0, webhook_deliveries: 0 },
  )
})

test('the demo has a paused bot with a group, an album, a reply and a reaction', async context => {
  const { db, read } = await setUp(context)
  const { id } = await read('project', 'create', '--name', 'Acme')
  await read('demo', '--project', id)
  const [row] = await db`
    select (select array_agg(state) from telegram_bots) as bots,
      (select count(*)::int from telegram_chats) as chats,
      (select count(*)::int from telegram_chats where chat_id < 0) as groups,
      (select count(*)::int from messages where channel = 'telegram' and delivery_status <> 'sent') as waiting,
      (select max(files)::int from (select count(*) as files from media m join telegram_messages t
        on t.message_id = m.message_id group by m.message_id) a) as album,
      (select count(*)::int from messages where channel = 'telegram' and reply_to_id is not null) as replies,
      (select count(*)::int from message_reactions r join telegram_messages t on t.message_id = r.message_id
        where r.reactor_kind = 'contact') as reactions,
      (select count(*)::int from outgoing_queue) as queued`
  assert.deepEqual(row, {
    ...{ bots: ['paused'], chats: 3, groups: 1, waiting: 0, album: 2, replies: 2, reactions: 2, queued: 0 },
  })
})

test('all times of the demo are in the past', async context => {
  const { db, read } = await setUp(context)
  const { id } = await read('project', 'create', '--name', 'Acme')
  await read('demo', '--project', id)
  const [row] = await db`
    select (select count(*)::int from messages where created_at > now()) as future,
      (select extract(day from now() - min(created_at))::int from tickets) as days,
      (select count(*)::int from tickets t join ticket_activity a on a.ticket_id = t.id
        where a.status <> t.status or a.created_at <> t.created_at or a.closed_at is distinct from t.closed_at) as torn,
      (select count(*)::int from tickets t where exists (
        select from messages m where m.ticket_id = t.id and m.created_at < t.created_at and t.merged_into_id is null
          and m.sender_type = 'operator')) as early`
  assert.deepEqual(row, { future: 0, days: 21, torn: 0, early: 0 })
  const pictures = await db`select '/api/dashboard/pictures/' || id as url from user_pictures`
  const shown = await db`
    select avatar_url as url from operators where avatar_url is not null
    union select sender_avatar_url from messages where sender_avatar_url is not null`
  const urls = (rows: readonly { url: string }[]) => rows.map(({ url }) => url).sort()
  assert.deepEqual(urls(shown as never), urls(pictures as never), 'pictures come from this server')
})
