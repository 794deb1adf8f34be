import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bareId } from '../../src/core/ids.ts'
import { deleteKey } from '../../src/keys/keys.ts'
import { setMaintenance } from '../../src/projects/installation.ts'
import { listEvents, makeTicket } from '../cast.ts'
import { assertBrief, type Client } from '../client.ts'
import { follow } from '../updates.ts'
import { clientOf, clusterNeeds, startCluster } from './cluster.ts'
import { startServer, stopServer } from './program.ts'

test(
  'no request through nginx fails and nothing is lost while the processes behind it restart',
  clusterNeeds,
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
  clusterNeeds,
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
