import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openDataDir } from '../../bench/data.ts'
import { deskbell, makeFolder, run, stopServer, untilReady } from './program.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects to be there
type Answer = any

async function read(DATA_DIR: string, ...words: string[]): Promise<Answer> {
  const { status, stdout, stderr } = await deskbell({ DATA_DIR }, ...words, '--json')
  assert.equal(status, 0, stderr)
  return JSON.parse(stdout)
}

const tables =
  'widgets webhooks saved_views canned_answers custom_fields articles categories tickets contacts tags departments operators messages drafts mentions message_reactions demo_records'.split(
    ' ',
  )

/** How many rows a project has in each table that the demo fills. */
async function countRows(DATA_DIR: string, projectId: string): Promise<Record<string, number>> {
  const { db, close } = await openDataDir(DATA_DIR)
  const counts: Record<string, number> = {}
  for (const table of tables) {
    const [row] = await db`select count(*)::int as n from ${db(table)} where project_id = ${projectId}`
    counts[table] = row!.n
  }
  await close()
  return counts
}

async function start(context: TestContext, DATA_DIR: string) {
  const server = run(process.execPath, ['src/main.ts', '--demo'], { DATA_DIR })
  context.after(() => void server.child.kill('SIGKILL'))
  await untilReady(server)
  return stopServer(server)
}

test('--demo fills an empty installation, and changes nothing where tickets are', async context => {
  const DATA_DIR = makeFolder(context)
  const first = await start(context, DATA_DIR)
  const [, id] = /The demo is there: 61 tickets.*demo --project (\S+) --remove\n/.exec(first.stdout) ?? []
  assert.ok(id, first.stdout)
  const counts = await countRows(DATA_DIR, id)
  assert.deepEqual([counts.tickets, counts.operators, counts.departments, counts.articles], [61, 5, 3, 8])
  const second = await start(context, DATA_DIR)
  assert.match(second.stdout, /Nobody can sign in yet/)
  assert.match(second.stdout, /"My project" has tickets already, so it got no demo data/)
  assert.deepEqual(await countRows(DATA_DIR, id), counts)
})

test('demo --remove takes away what the demo made, and neither what was there before nor what is another’s', async context => {
  const DATA_DIR = makeFolder(context)
  const [acme, rival] = [
    await read(DATA_DIR, 'project', 'create', '--name', 'Acme'),
    await read(DATA_DIR, 'project', 'create', '--name', 'Rival'),
  ]
  await read(DATA_DIR, 'department', 'create', '--project', acme.id, '--name', 'Sales')
  const before = await countRows(DATA_DIR, acme.id)
  await read(DATA_DIR, 'demo', '--project', rival.id)
  const rivals = await countRows(DATA_DIR, rival.id)
  assert.equal((await read(DATA_DIR, 'demo', '--project', acme.id)).tickets, 61)
  assert.equal((await deskbell({ DATA_DIR }, 'demo', '--project', acme.id)).status, 2)
  assert.equal((await read(DATA_DIR, 'demo', '--project', acme.id, '--remove')).tickets, 61)
  assert.deepEqual(await countRows(DATA_DIR, acme.id), before)
  assert.deepEqual(await countRows(DATA_DIR, rival.id), rivals)
  assert.equal((await deskbell({ DATA_DIR }, 'demo', '--project', acme.id, '--remove')).status, 2)
})

test('the story of the demo lies in the past, and its events tell of every ticket', async context => {
  const DATA_DIR = makeFolder(context)
  const { id } = await read(DATA_DIR, 'project', 'create', '--name', 'Acme')
  await read(DATA_DIR, 'demo', '--project', id)
  const { db, close } = await openDataDir(DATA_DIR)
  const [row] = await db`
    select (select count(*)::int from messages where created_at > now()) as future,
      (select count(distinct data ->> 'ticket_id')::int from events where type = 'ticket.created') as told,
      (select extract(day from now() - min(created_at))::int from tickets) as days,
      (select count(*)::int from tickets t join ticket_activity a on a.ticket_id = t.id
        where a.status <> t.status or a.created_at <> t.created_at or a.closed_at is distinct from t.closed_at) as torn,
      (select count(*)::int from tickets t where exists (
        select from messages m where m.ticket_id = t.id and m.created_at < t.created_at and t.merged_into_id is null
          and m.sender_type = 'operator')) as early`
  await close()
  assert.deepEqual(row, { future: 0, told: 61, days: 21, torn: 0, early: 0 })
})
