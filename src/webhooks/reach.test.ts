import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { after, test } from 'node:test'
import * as corpus from '../../test/corpus/addresses.ts'
import { startReceiver } from '../../test/receiver.ts'
import { startServer } from '../../test/server.ts'
import { until } from '../../test/until.ts'
import { emit } from '../../test/webhooks.ts'
import { createAddressRule } from '../core/http/address.ts'
import { createSender } from './send.ts'

/** Every way in which a caller of the API can make a public server send a request, with every spelling of the corpus. */

/** The only address of this machine that is allowed here, for a target that redirects. */
const open = '127.9.9.9'
const [publicUrl, webhookAllowedCidrs] = ['https://desk.example.com', [`${open}/32`]]
const addressRule = createAddressRule({ publicUrl, allowedCidrs: webhookAllowedCidrs })
/** The names of the corpus belong to an attacker: all resolve to this machine. */
const sender = createSender({ addressRule, resolve: async () => ['127.0.0.1'] })
const server = await startServer({
  config: { publicUrl, webhookAllowedCidrs, webhookRetryDelays: [] },
  sender,
})
const { api, app, db } = server

const first = await startReceiver()
const second = await startReceiver(200, { host: '::1', port: first.port })
const target = await startReceiver(200, { host: open })
/** A listener where Postgres would listen if it did not use a socket in a folder. */
const database = createServer(socket => socket.destroy())
await once(database.listen(0, '127.0.0.1'), 'listening')
after(async () => {
  await server.close()
  await sender.close()
  await Promise.all([first, second, target].map(one => one.close()))
  database.close()
})

let reached = 0
database.on('connection', () => reached++)
app.server.on('clientError', () => reached++)
app.server.on('request', ({ headers }) => {
  if (headers['user-agent']?.startsWith('Deskbell/')) reached++
})
const countReached = () => reached + first.counts.connections + second.counts.connections

const portOf = (address: unknown) => (address as { port: number }).port
const ports = [first.port, portOf(app.server.address()), portOf(database.address())]
const hosts = [...corpus.LOOPBACK_HOSTS, ...corpus.PRIVATE_HOSTS, ...corpus.METADATA_HOSTS]
const forms = [...hosts.map(host => `http://${host}:PORT/`), ...corpus.DISGUISED_URLS, ...corpus.INVALID_URLS]
const urls = forms.map((form, at) => form.replaceAll('PORT', String(ports[at % ports.length])))

const inTurns = async (act: (url: string, at: number) => Promise<unknown>) => {
  for (let at = 0; at < urls.length; at += 8) {
    await Promise.all(urls.slice(at, at + 8).map((url, place) => act(url, at + place)))
  }
}

/** Causes an event, and returns how all its deliveries ended. */
async function deliver(): Promise<Set<string>> {
  await db`delete from webhook_deliveries`
  await emit(server)
  const rows = await until(async () => {
    const rows = await db<{ error: string }[]>`
      select attempts_log #>> '{0,error}' as error from webhook_deliveries`
    return rows.length === urls.length && rows
  })
  return new Set(rows.map(({ error }) => error))
}

const ids: string[] = []
const change = async (at: number, fields: object) => {
  const answer = await api.patch(`/webhooks/${ids[at]}`, { is_active: true, ...fields })
  assert.equal(answer.status, 200, answer.text)
}

test('an event reaches no internal address through a registered URL', async t => {
  await inTurns(async (url, at) => {
    const { status, body, text } = await api.post('/webhooks', { url, events: ['ticket.closed'] })
    assert.equal(status, 201, text)
    ids[at] = body.id
  })
  t.diagnostic(`${urls.length} URLs`)
  assert.ok(urls.length >= 150)
  assert.deepEqual([...(await deliver())].sort(), ['blocked_address', 'invalid_url'])
  assert.equal(countReached(), 0)
})

test('an event reaches no internal address through a changed URL', async () => {
  await inTurns((url, at) => change((at + 7) % urls.length, { url }))
  assert.deepEqual([...(await deliver())].sort(), ['blocked_address', 'invalid_url'])
  assert.equal(countReached(), 0)
})

test('the test operation reaches no internal address, and reports all forbidden addresses alike', async () => {
  const told = new Set<string>()
  await inTurns(async (_, at) => {
    const { status, body, text } = await api.post(`/webhooks/${ids[at]}/test`)
    assert.equal(status, 200, text)
    told.add(`${body.delivered} ${body.status_code} ${body.error}`)
  })
  assert.deepEqual([...told].sort(), ['false null blocked_address', 'false null invalid_url'])
  assert.equal(countReached(), 0)
})

test('a redirect leads to no internal address', async () => {
  // A header carries bytes and cannot contain line breaks.
  const locations = urls.map(url => Buffer.from(url.replaceAll(/[\r\n\t]/g, '')).toString('latin1'))
  target.answer(({ path }) => ({ status: 307, headers: { location: locations[Number(path.slice(1))]! } }))
  await inTurns((_, at) => change(at, { url: `${target.url}/${at}` }))
  assert.deepEqual([...(await deliver())], ['redirect'])
  const { body } = await api.post(`/webhooks/${ids[0]}/test`)
  assert.deepEqual([body.delivered, body.error], [false, 'redirect'])
  assert.equal(target.requests.length, urls.length + 1)
  assert.equal(countReached(), 0)
})
