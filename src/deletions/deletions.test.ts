import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { makeMessage, makeTicket } from '../../test/cast.ts'
import { addressOf } from '../../test/database.ts'
import { joinProject } from '../../test/operator.ts'
import { deskbell } from '../../test/run/program.ts'
import { startServer, type TestServer } from '../../test/server.ts'
import { until } from '../../test/until.ts'
import { makePicture } from '../../test/upload.ts'
import { ask, begin, open, switchOn } from '../../test/widget.ts'
import { createStorages, deleteDueStrayObjects } from '../media/media.ts'
import { createDeletion, type DeletionStep } from './delete-project.ts'

let server: TestServer
before(async () => {
  server = await startServer({ delivers: false, config: { visitorsPerIp: 1e6 } })
})
after(() => server.close())

const slugOf = async (id: string): Promise<string> =>
  (await server.db`select slug from projects where id = ${id}`)[0]!.slug

const cli = (...words: string[]) => {
  const settings = { DATABASE_URL: addressOf(server.target), DATA_DIR: server.config.dataDir }
  return deskbell(settings, ...words)
}

/** Makes the deletion old enough that every request that began before it counts as ended. */
const settle = (id: string) =>
  server.db`update projects set deleting_since = now() - interval '1 minute' where id = ${id} and deleting_since is not null`

const countTickets = async (id: string): Promise<number> =>
  (await server.db`select count(*)::int as count from tickets where project_id = ${id}`)[0]!.count

/** Messages that reply to earlier and later ones, and follow-up tickets: more than one step deletes. */
async function fillLinked(projectId: string): Promise<void> {
  const { db } = server
  const [ticket] = await db`select id, contact_id from tickets where project_id = ${projectId} limit 1`
  await db`
    insert into messages (project_id, id, ticket_id, sender_type, content, content_format, channel, delivery_updated_at, created_at)
    select project_id, uuid_v7(), ticket_id, sender_type, content, content_format, channel, delivery_updated_at, created_at
    from messages, generate_series(1, 1200) where project_id = ${projectId} and ticket_id = ${ticket!.id}`
  const linked = (table: string, column: string) => db`
    with numbered as (
      select id, row_number() over (order by id) as n, count(*) over () as all_rows from ${db(table)} where project_id = ${projectId})
    update ${db(table)} r set ${db(column)} = other.id
    from numbered own join numbered other on other.n = own.all_rows + 1 - own.n and other.id <> own.id
    where r.project_id = ${projectId} and r.id = own.id`
  await linked('messages', 'reply_to_id')
  await db`
    insert into tickets (project_id, id, number, subject, status, priority, channel, contact_id, created_at)
    select ${projectId}, uuid_v7(), 1000 + n, 'x', 'open', 'normal', 'api', ${ticket!.contact_id}, now()
    from generate_series(1, 1200) n`
  await linked('tickets', 'follow_up_of_id')
}

test('project delete is refused without the right slug, and while a payment is open', async () => {
  const { id } = server.rival
  const slug = await slugOf(id)
  const unasked = await cli('project', 'delete', slug)
  assert.equal(unasked.status, 2)
  assert.match(unasked.stderr, new RegExp(`"Rival" has 0 tickets.*add --yes ${slug}`))
  assert.match((await cli('project', 'delete', slug, '--yes', 'other')).stderr, /nothing was deleted/)
  assert.match((await cli('project', 'delete', 'nobody', '--yes', 'nobody')).stderr, /does not exist/)
  await server.db`insert into accounts (project_id, currency) values (${id}, 'EUR')`
  await server.db`
    insert into payments (project_id, id, order_id, gateway, amount, currency, method, status)
    values (${id}, gen_random_uuid(), 'D-1', 'offline', 100, 'EUR', 'transfer', 'pending')`
  assert.match(
    (await cli('project', 'delete', slug, '--yes', slug)).stderr,
    /open payments: D-1; confirm or cancel each/,
  )
  await server.db`delete from payments where project_id = ${id}`
  assert.equal((await server.outsider.get('/project')).status, 200)
})

test('a deletion shuts out keys, sessions, visitors and waiting requests at once, and then deletes everything', async () => {
  const { acme, db, api } = server
  const owner = await joinProject(server, acme, { name: 'olga', role: 'owner' })
  await switchOn(server, acme)
  const guest = await begin(server, acme)
  await ask(guest)
  const tab = await open(server, guest)
  await api.post('/webhooks', { url: 'http://127.0.0.1:9/' })
  const ticket = await makeTicket(api)
  const picture = await makePicture(api)
  await makeMessage(api, ticket.id, { media_ids: [picture.id] })
  await fillLinked(acme.id)
  const [kept] = await db`select storage_key from media where project_id = ${acme.id}`
  const path = join(server.config.dataDir, 'files', kept!.storage_key.slice(0, 2))
  assert.ok(existsSync(path))
  const { last_seq } = (await api.get('/updates?after=0&timeout=0')).body
  const waiting = api.get(`/updates?after=${last_seq}&timeout=50`)
  const rival = await makeTicket(server.outsider)
  const slug = await slugOf(acme.id)

  const deleting = cli('project', 'delete', slug, '--yes', slug, '--json')
  assert.equal((await waiting).status, 401)
  assert.equal((await api.get('/project')).status, 401)
  assert.equal((await owner.api.get('/tickets')).status >= 400, true)
  assert.equal((await guest.api.get('/tickets')).status >= 400, true)
  await tab.ended
  await until(async () => (await countTickets(acme.id)) === 0)
  await settle(acme.id)
  const { status, stdout, stderr } = await deleting
  assert.equal(status, 0, stderr)
  assert.match(stderr, /rows deleted so far/)
  const result = JSON.parse(stdout)
  assert.deepEqual([result.id, result.is_deleted, result.files], [acme.id, true, 1])
  assert.ok(result.rows > 2_400, stdout)

  assert.equal((await db`select from projects where id = ${acme.id}`).length, 0)
  await deleteDueStrayObjects(db, createStorages(server), server.log)
  assert.deepEqual(existsSync(path) ? readdirSync(path) : [], [])
  assert.equal((await server.outsider.get(`/tickets/${rival.id}`)).status, 200)
  assert.equal((await owner.own.get('/me')).body.memberships.length, 0)
})

test('an interrupted deletion continues, cannot be undone, and is done by one process at a time', async () => {
  const { db } = server
  const made = JSON.parse((await cli('project', 'create', '--name', 'Third', '--json')).stdout)
  await db`update projects set deleting_since = now(), suspended_at = now() where id = ${made.id}`
  assert.match((await cli('project', 'resume', made.id)).stderr, /is being deleted; it cannot be resumed/)
  const first = createDeletion(db, made.id)
  assert.equal((await first()).is, 'deleting')
  // Rows that were written after the tables were emptied are deleted together with the project.
  const second = createDeletion(db, made.id)
  const steps: DeletionStep[] = []
  do steps.push(await second())
  while (steps.at(-1)!.is === 'deleting')
  assert.equal(steps.at(-1)!.is, 'waiting')
  await db`insert into tags (project_id, id, name) values (${made.id}, gen_random_uuid(), 'late')`
  await settle(made.id)
  await db.begin(async tx => {
    await tx`set local idle_in_transaction_session_timeout = 0`
    await tx`select from projects where id = ${made.id} for update`
    assert.deepEqual(await second(), { is: 'waiting' })
  })
  await until(async () => (await second()).is === 'gone')
  assert.equal((await db`select from tags where project_id = ${made.id}`).length, 0)
  assert.deepEqual(await first(), { is: 'gone' })
})
