import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import type { Db } from '../../src/core/db/db.ts'
import { bareId } from '../../src/core/ids.ts'
import { deleteKey } from '../../src/keys/keys.ts'
import { maxFileBytes } from '../../src/media/limits.ts'
import { setMaintenance } from '../../src/projects/installation.ts'
import { listEvents, type Member, makeCast, makeTicket } from '../cast.ts'
import { assertBrief, type Client, createClient } from '../client.ts'
import { createDatabase } from '../database.ts'
import { freePort } from '../free-port.ts'
import { openTab, untilFrame } from '../live.ts'
import { needs } from '../needs.ts'
import { startNginx } from '../nginx.ts'
import { joinProject } from '../operator.ts'
import { startPgbouncer } from '../pgbouncer.ts'
import { startReceiver } from '../receiver.ts'
import { follow } from '../updates.ts'
import { uploadBytes } from '../upload.ts'
import { makeFolder, type Program, startServer, stopServer } from './program.ts'

interface Cluster {
  db: Db
  acme: Member
  rival: Member
  web: Program[]
  settings: Record<string, string>[]
  /** The address of nginx. */
  url: string
}

/**
 * PgBouncer in transaction mode, two processes for HTTP and one for the other roles, and nginx before the
 * two.
 */
async function startCluster(context: TestContext): Promise<Cluster> {
  const { db, target, drop } = await createDatabase()
  context.after(drop)
  const ports = [await freePort(), await freePort()]
  const url = await startNginx(context, ports)
  const shared = {
    PUBLIC_URL: url,
    DATABASE_URL: await startPgbouncer(context, target),
    DATABASE_POOL: '5',
    DATA_DIR: makeFolder(context),
    SECRET_KEY: randomBytes(32).toString('hex'),
    TRUST_PROXY: '127.0.0.1',
    STOP_DELAY: '5s',
  }
  const settings = ports.map(port => ({ ...shared, PORT: String(port), ROLES: 'http' }))
  const [web] = await Promise.all([
    Promise.all(settings.map(each => startServer(context, each))),
    startServer(context, { ...shared, ROLES: 'deliver,jobs' }),
  ])
  return { db, ...(await makeCast(db)), web, settings, url }
}

const clientOf = (url: string, { key }: Member): Client => createClient(`${url}/api/v1`, key.key)

const all = { skip: needs('nginx').skip || needs('pgbouncer').skip }

test(
  'no request through nginx fails and nothing is lost while the processes behind it restart',
  all,
  async context => {
    const { db, acme, web, settings, url } = await startCluster(context)
    const api = clientOf(url, acme)
    const taken: string[] = []
    let [end, isOver] = [Number.POSITIVE_INFINITY, false]
    context.after(() => {
      ;[end, isOver] = [0, true]
    })
    const statuses = new Set<number>()
    const ask = async (path: string) => {
      const answer = await api.get(path)
      statuses.add(answer.status)
      return answer
    }
    const readers = Array.from({ length: 8 }, () => follow(ask, 0, at => at >= end))
    const writers = Array.from({ length: 4 }, async () => {
      while (!isOver) taken.push((await makeTicket(api)).id)
    })
    for (const [at, program] of web.entries()) {
      assert.equal((await stopServer(program)).status, 0)
      await startServer(context, settings[at]!)
    }
    isOver = true
    await Promise.all(writers)
    const log = await listEvents(db, acme)
    end = log.length
    assert.deepEqual(log.map(({ data }) => data.ticket_id).sort(), [...taken].sort())
    for (const seen of await Promise.all(readers))
      assert.deepEqual(
        seen.map(({ seq, id }) => `${seq} ${id}`),
        log.map(({ seq, id }) => `${seq} ${bareId(id)}`),
      )
    assert.deepEqual([...statuses], [200])
  },
)

test(
  'a deleted key and maintenance mode take effect at once in every process behind PgBouncer, even for waiting calls',
  all,
  async context => {
    const { db, acme, rival, web } = await startCluster(context)
    const [mine, theirs] = [acme, rival].map(member => web.map(({ url }) => clientOf(url, member))) as [
      Client[],
      Client[],
    ]
    const wait = (clients: Client[]) => clients.map(api => api.get('/updates?timeout=50'))
    for (const api of [...mine, ...theirs]) assert.equal((await api.get('/updates?timeout=0')).status, 200)
    const [waiting, kept] = [wait(mine), wait(theirs)]
    await deleteKey(db, acme.key.id)
    for (const api of mine) assertBrief(await api.get('/tickets'), 401, 'API key is invalid or revoked')
    for (const answer of await Promise.all(waiting)) assert.equal(answer.status, 401)
    for (const api of theirs) assert.equal((await api.get('/tickets')).status, 200)
    await setMaintenance(db, true)
    for (const answer of [
      ...(await Promise.all(kept)),
      ...(await Promise.all(theirs.map(api => api.get('/tickets')))),
    ]) {
      assert.equal(answer.status, 503)
      assert.deepEqual(Object.keys(answer.body), ['error_code', 'error_message'])
    }
    await setMaintenance(db, false)
    for (const api of theirs) assert.equal((await api.get('/tickets')).status, 200)
  },
)

test(
  'delivers webhooks, long polls and streams for a write at another process, through nginx and PgBouncer',
  all,
  async context => {
    const { db, acme, web, url } = await startCluster(context)
    const receiver = await startReceiver()
    context.after(receiver.close)
    const api = clientOf(url, acme)
    const olga = await joinProject({ db, url: `${url}/api/v1` }, acme, { name: 'Olga', role: 'owner' })
    const tab = await openTab(url, olga, acme)
    await untilFrame(tab, 'ready')
    assert.match(tab.headers.get('content-type')!, /^text\/event-stream/)
    await api.post('/webhooks', { url: receiver.url, events: ['ticket.created'] })
    const after = (await listEvents(db, acme)).length
    const waiting = clientOf(web[0]!.url, acme).get(`/updates?after=${after}&timeout=50`)
    const { id } = await makeTicket(clientOf(web[1]!.url, acme))
    assert.equal((await waiting).body.items[0].data.ticket_id, id)
    await untilFrame(tab, 'log', ({ data }) => data.data.ticket_id === id)
    const sent = await receiver.next(({ headers }) => headers['x-webhook-event'] === 'ticket.created')
    assert.equal(JSON.parse(String(sent.body)).data.ticket_id, id)
    tab.close()
  },
)

test(
  'passes files of 200 MB through nginx, rejects one byte more with our own error, and keeps the request id',
  all,
  async context => {
    const { acme, rival, url } = await startCluster(context)
    const base = `${url}/api/v1`
    const taken = await uploadBytes(base, acme.key.key, maxFileBytes, { headers: { 'x-request-id': 'mine' } })
    assert.deepEqual([taken.status, taken.body.size], [201, maxFileBytes])
    assert.equal(taken.headers.get('x-request-id'), 'mine')
    assert.equal((await clientOf(url, rival).get(`/media/${taken.body.id}/info`)).status, 404)
    const refused = await uploadBytes(base, acme.key.key, maxFileBytes + 1)
    assert.deepEqual([refused.status, refused.body.error_code], [413, 'MEDIA_TOO_LARGE'])
    assert.equal(refused.body.request_id, refused.headers.get('x-request-id'))
  },
)
