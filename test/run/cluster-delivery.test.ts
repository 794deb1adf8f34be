import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxFileBytes } from '../../src/media/limits.ts'
import { listEvents, makeTicket } from '../cast.ts'
import { openTab, untilFrame } from '../live.ts'
import { joinProject } from '../operator.ts'
import { startReceiver } from '../receiver.ts'
import { uploadBytes } from '../upload.ts'
import { clientOf, clusterNeeds, startCluster } from './cluster.ts'

test(
  'delivers webhooks, long polls and streams for a write in another process, through nginx and PgBouncer',
  clusterNeeds,
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
  clusterNeeds,
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
