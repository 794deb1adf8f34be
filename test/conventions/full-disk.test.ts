import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { root } from '../../src/core/config/config.ts'
import { ensureCategory } from '../../src/knowledge/knowledge.ts'
import { putPlans } from '../billing/price-list.ts'
import { makeContact, makeMessage, makeTicket } from '../cast.ts'
import { type Answer, assertEnvelope, type Client, createClient } from '../client.ts'
import { makeArticle } from '../knowledge.ts'
import { giveEmail } from '../mail/give-email.ts'
import { joinProject, type Person } from '../operator.ts'
import { startServer, type TestServer } from '../server.ts'
import { makePicture } from '../upload.ts'
import { type Visitor, visit } from '../visitor.ts'
import { ask, begin, type Guest, switchOn } from '../widget.ts'

/**
 * When the database cannot store any more rows, existing data can still be read, even by requests that also
 * record something.
 */

/** A stream records presence, so it cannot open without writing. Other operations return the same data. */
const streams = ['/projects/{project_id}/live', '/projects/{project_id}/stream']

function listReads(file: string): string[] {
  const { paths } = JSON.parse(readFileSync(join(root, 'docs', file), 'utf8'))
  return Object.keys(paths).filter(path => paths[path].get && !streams.includes(path))
}

const queries: Record<string, string> = {
  '/updates': '?after=0&timeout=0',
  '/projects/{project_id}/search': '?q=password',
  '/projects/{project_id}/today': `?from=${new Date(Date.now() - 3_600_000).toISOString()}&until=${new Date().toISOString()}`,
}

const withoutBase = (path: string): string => path.replace(/^\/api\/v1/, '')

let server: TestServer
let visitor: Visitor
let olga: Person
let omar: Person
let guest: Guest
let ids: Record<string, string>
let ofGuest: Record<string, string>

before(async () => {
  server = await startServer({ delivers: false })
  const { api, db, acme } = server
  visitor = visit(server)
  await putPlans(db)
  olga = await joinProject(server, acme, { name: 'Olga', role: 'owner' })
  omar = await joinProject(server, acme, { name: 'Omar' })
  await switchOn(server, acme)
  guest = await begin(server)
  const asking = await ask(guest)
  const webhook = await api.post('/webhooks', { url: 'http://127.0.0.1:9/' })
  const contact = await makeContact(api)
  const ticket = await makeTicket(api, { contact: { email: contact.email } })
  const message = await makeMessage(api, ticket.id)
  const deliveries = await api.get(`/webhooks/${webhook.body.id}/deliveries`)
  const category_id = await ensureCategory(db, acme.id, ['Accounts'], 'en')
  const article = await makeArticle(db, acme, { category_id, slug: 'password' })
  const picture = await makePicture(api)
  await giveEmail(db, acme.id, message.id, picture.id)
  ids = {
    project_id: acme.id,
    ticket_id: ticket.id,
    contact_id: contact.id,
    message_id: message.id,
    webhook_id: webhook.body.id,
    delivery_id: deliveries.body.items[0].id,
    media_id: picture.id,
    article_id: article.id,
    category_id,
    operator_id: olga.id,
  }
  ofGuest = { project_id: acme.id, article_id: article.id, ticket_id: asking.id }
  await fillDisk()
})
after(() => server.close())

/**
 * Makes every insert, update and delete fail, and ages all last-seen times so that each read would try to
 * update one.
 */
async function fillDisk(): Promise<void> {
  const { db } = server
  await db`update operators set last_seen_at = now() - interval '1 day' where project_id = ${server.acme.id}`
  await db`update visitors set seen_at = now() - interval '1 day' where project_id = ${server.acme.id}`
  await db`update api_keys set last_used_at = null where project_id = ${server.acme.id}`
  await db`update user_sessions set expires_at = now() + interval '2 days'`
  await db.unsafe(`create function find_no_room() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`)
  const tables = await db<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`
  for (const { name } of tables)
    await db.unsafe(`create trigger no_room before insert or update or delete on "${name}"
      for each row execute function find_no_room()`)
}

const fill = (path: string, values: Record<string, string>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name) => values[name] ?? 'unknown') + (queries[path] ?? '')

/** Records that exist are read. A path with a missing id answers 404 or 422 as usual. */
function assertRead({ status, text }: Answer, path: string, values: Record<string, string>): void {
  const isMade = [...path.matchAll(/\{(\w+)\}/g)].every(([, name]) => values[name!])
  assert.ok(status < (isMade ? 400 : 500) && status !== 401, `${status} ${text.slice(0, 300)}`)
}

/** These write an entry of the audit log, without which nobody may have the data. */
const isAudited = (path: string): boolean => path.endsWith('/contacts/{contact_id}/export')

const assertRefused = ({ status, body }: Answer): void =>
  assert.deepEqual([status, body.detail.reason], [500, 'storage_full'])

const testReads = (file: string, open: () => { client: Client; values: Record<string, string> }) => {
  for (const path of listReads(file))
    test(`GET ${path} of ${file} ${isAudited(path) ? 'is refused' : 'works'} on a full disk`, async () => {
      const { client, values } = open()
      const answer = await client.get(fill(withoutBase(path), values))
      if (isAudited(path)) assertRefused(answer)
      else assertRead(answer, path, values)
    })
}

testReads('openapi.json', () => ({ client: server.api, values: ids }))
testReads('dashboard.json', () => ({ client: olga.own, values: ids }))
testReads('widget.json', () => ({ client: atChat(guest), values: ofGuest }))

/** The paths of the document start below the address of all projects. */
const atChat = ({ token }: Guest): Client => createClient(`${new URL(server.url).origin}/api/widget`, token)

for (const path of ['', '/articles/password', '/search?q=password', '/sitemap.xml'])
  test(`GET /help/acme/en${path} works on a full disk`, async () => {
    const { status, text } = await visitor.get(`/help/acme/en${path}`)
    assert.equal(status, 200, text)
  })

test('an ended session stays ended on a full disk', async () => {
  const { db } = server
  assert.equal((await omar.own.get('/me')).status, 200)
  await db`alter table user_sessions disable trigger no_room`
  await db`delete from user_sessions where user_id = (select user_id from operators where project_id = ${server.acme.id} and id = ${omar.id})`
  await db`alter table user_sessions enable trigger no_room`
  assertEnvelope(await omar.own.get('/me'), 401, 'SESSION_REQUIRED')
})
