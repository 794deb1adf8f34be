import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ensureCategory } from '../../src/knowledge/knowledge.ts'
import { type Member, makeDepartment, makeMessage, makeOperator, makeTicket, nobody } from '../cast.ts'
import type { Answer, Client } from '../client.ts'
import { makeChannelWithMessage } from '../custom-channel.ts'
import { makeArticle } from '../knowledge.ts'
import { makeMail, storeMail } from '../mail.ts'
import { joinProject } from '../operator.ts'
import { startServer, type TestServer } from '../server.ts'
import { insertBot } from '../telegram/bots.ts'
import { makePicture } from '../upload.ts'
import { ask, begin, switchOn } from '../widget.ts'
import { type Slot, slots } from './slots.ts'
import { tablesOfProjects } from './statements.ts'

/**
 * Sends every id of Acme in every place of every operation with Rival's key, owner and visitor. The response
 * must equal that for a missing id, down to the bytes, and nothing of Acme may be shown, changed or
 * referenced.
 */

/** Occurs in every text of Acme. */
const mark = 'zebra'

interface Side {
  ids: Record<string, string>
  callers: Record<string, Client>
}

let server: TestServer
let acme: Side
let rival: Side
let untouched: Record<string, string>

async function make(api: Client, path: string, body: object): Promise<string> {
  const answer = await api.post(path, body)
  assert.ok(answer.status < 300, `${path}: ${answer.text}`)
  return answer.body.id
}

const fieldNamed = (word: string) => ({ record: 'ticket', key: word, label: word, type: 'text' })

async function furnish(member: Member, api: Client, word: string): Promise<Side> {
  const { db } = server
  const email = `${word}@example.com`
  const owner = await joinProject(server, member, { name: `${word} owner`, role: 'owner' })
  await switchOn(server, member)
  const guest = await begin(server, member)
  const webhook_id = await make(api, '/webhooks', { url: 'http://127.0.0.1:9/', description: word })
  const ticket = await makeTicket(api, { contact: { email, name: word }, subject: word, tags: [word] })
  const deliveries = await api.get(`/webhooks/${webhook_id}/deliveries`)
  const category_id = await ensureCategory(db, member.id, [word], 'en')
  const answer = { scope: 'shared', shortcut: word, title: word, content: word }
  const visited = await ask(guest, { content: word })
  const [tag] = (await owner.api.get('/tags')).body.items
  const ids = {
    channel_id: (await makeChannelWithMessage(db, member, api)).channel_id,
    ticket_id: ticket.id,
    contact_id: ticket.contact_id,
    into_contact_id: (await makeTicket(api, {})).contact_id,
    message_id: (await makeMessage(api, ticket.id, { content: word })).id,
    webhook_id,
    delivery_id: deliveries.body.items[0].id,
    media_id: (await makePicture(api)).id,
    article_id: (await makeArticle(db, member, { category_id, title: word })).id,
    category_id,
    operator_id: (await makeOperator(db, member, word)).id,
    department_id: (await makeDepartment(db, member, word)).id,
    tag_id: tag.id,
    key_id: await make(owner.api, '/keys', { name: word }),
    view_id: await make(owner.api, '/views', { name: word, filters: { q: word }, is_shared: true }),
    canned_answer_id: await make(owner.api, '/canned-answers', answer),
    field_id: await make(owner.api, '/custom-fields', fieldNamed(word)),
    organization_id: await make(api, '/organizations', { name: word, domains: [`${word}.example`] }),
    export_id: await make(owner.api, '/exports', {}),
    mailbox_id: await make(owner.api, '/mailboxes', { address: email, incoming: 'listen', name: word }),
    bot_id: await insertBot(server, member, `${word}_bot`),
    mail_id: await storeMail(server, member, makeMail(word, word)),
    rule_id: await make(api, '/sender-rules', { pattern: `${word}.example`, verdict: 'blocked' }),
    'visited ticket': visited.id,
    visitor: guest.id,
    project: member.id,
  }
  return { ids, callers: { openapi: api, dashboard: owner.api, widget: guest.api } }
}

/**
 * A hash of all rows of a project in each table. The request log belongs to the project that sent the
 * requests.
 */
async function sumOf({ id }: Member): Promise<Record<string, string>> {
  const names = [...tablesOfProjects]
  const sums = await Promise.all(
    names.map(
      name => server.db`
        select md5(string_agg(t::text, ' ' order by t::text)) as sum from ${server.db(name)} t where project_id = ${id}`,
    ),
  )
  return Object.fromEntries(names.map((name, at) => [name, sums[at]![0]!.sum]))
}

/** Excludes streams, which do not end and contain no record ids. */
const isAsked = ({ document, path }: Slot): boolean =>
  !/\/(?:live|stream)$/.test(path) && (document === 'openapi' || path.startsWith('/projects/'))

/** The dashboard has so many operations that their test is divided into two files. */
export const isOfConversations = ({ path }: Slot): boolean =>
  /^\/projects\/\{project_id\}\/(?:tickets|contacts|messages)\b/.test(path)

const titleOf = ({ document, method, path, place }: Slot): string => `${document} ${method} ${path} ${place}`

/** A visitor may start only a few tickets, so each attempt uses a new visitor. */
const callerOf = async ({ document, path }: Slot): Promise<Client> =>
  document === 'widget' && path.endsWith('/tickets')
    ? (await begin(server, server.rival)).api
    : rival.callers[document]!

async function request(slot: Slot, id: string): Promise<Answer> {
  const { document, method, path, place, bodyWith } = slot
  const [where, name] = place.split('.')
  const own: Record<string, string> = {
    ...rival.ids,
    seq: '1',
    identity: 'external:nobody',
    locale: 'en',
    emoji: '👍',
    address: 'eve@example.com',
    image_index: '0',
    picture_id: nobody,
    token: 'none',
    domain: 'horse.example',
  }
  if (document === 'widget') own.ticket_id = rival.ids['visited ticket']!
  if (where === 'path') own[name!] = id
  const filled = path
    .replace('/projects/{project_id}', '')
    .replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(own[name]!))
  const query = where === 'query' ? `?${name}=${id}` : ''
  const api = await callerOf(slot)
  return api.request(method, filled + query, method === 'GET' ? undefined : bodyWith(id))
}

/** The response without the parts that differ between two equal requests. */
const masked = ({ status, text }: Answer, id: string): string =>
  `${status} ${text}`
    .replaceAll(id, 'ID')
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'SOME ID')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+/g, 'TIME')
    .replaceAll(/"(request_id|version|short_id|secret|key|key_suffix)":("[^"]*"|\d+)/g, '"$1":"NEW"')

/** Otherwise the attempts would reach the limit of 100 views, and responses would contain ids of earlier attempts. */
async function resetViews(): Promise<void> {
  const projectId = server.rival.id
  await server.db`delete from saved_views where project_id = ${projectId} and id <> ${rival.ids.view_id!}`
  await server.db`update saved_views set filters = '{}' where project_id = ${projectId}`
}

async function assertForeign(slot: Slot): Promise<void> {
  await resetViews()
  const none = await request(slot, nobody)
  assert.ok(none.status < 500, none.text)
  for (const [kind, id] of Object.entries(acme.ids)) {
    const answer = await request(slot, id)
    assert.equal(masked(answer, id), masked(none, nobody), kind)
    assert.ok(!answer.text.includes(mark), `${kind}: ${answer.text}`)
  }
}

async function start() {
  server = await startServer({
    delivers: false,
    config: { visitorsPerIp: 1e6, rateLimitPerVisitor: 1e6, rateLimitPerSession: 1e6, requestLog: 'off' },
  })
  acme = await furnish(server.acme, server.api, mark)
  rival = await furnish(server.rival, server.outsider, 'horse')
  untouched = await sumOf(server.acme)
}

/** The filters of a saved view and the ids of another system are stored as sent, and give no access to Acme's data. */
const asWritten = new Set(['saved_views', 'imported_records'])

/** Tests all places that are chosen, of which there are more than `minimum`. */
export function testForeignIds(isChosen: (slot: Slot) => boolean, minimum: number): void {
  const asked = slots.filter(slot => isChosen(slot) && isAsked(slot))

  before(start)
  after(() => server.close())

  test(`the documents have more than ${minimum} places for ids`, t => {
    const operations = new Set(asked.map(({ document, method, path }) => `${document} ${method} ${path}`))
    t.diagnostic(
      `${asked.length} places of ${operations.size} operations, ${Object.keys(acme.ids).length} ids each`,
    )
    assert.ok(asked.length > minimum)
  })

  for (const slot of asked)
    test(`${titleOf(slot)} answers for an id of Acme as for a missing one`, () => assertForeign(slot))

  test('all rows of Acme are unchanged afterwards', async () =>
    assert.deepEqual(await sumOf(server.acme), untouched))

  test('no row of Rival contains an id of Acme', async () => {
    const ids = Object.values(acme.ids)
    for (const name of tablesOfProjects.difference(asWritten)) {
      const rows = await server.db`
        select t::text as row from ${server.db(name)} t where project_id = ${server.rival.id}
          and t::text like any(${ids.map(id => `%${id}%`)})`
      assert.deepEqual([...rows], [], name)
    }
  })
}
