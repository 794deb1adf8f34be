import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Endpoint } from '../../src/core/endpoint.ts'
import { operationId } from '../../src/docs/operation-id.ts'
import { catalogue, eventTypes } from '../../src/events/catalogue.ts'
import { type LoggedEvent, listEvents } from '../cast.ts'
import type { Answer, Client } from '../client.ts'
import { listUntrueCopies } from '../copies.ts'
import { startMailbox } from '../mailbox.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import { startServer, type TestServer } from '../server.ts'
import { document, misfit, resolve } from './document.ts'
import { callEverything } from './journey.ts'
import { findOperation, operations, titleOf } from './operations.ts'

interface Recorded {
  operation: Endpoint
  answer: Answer
  outdated: readonly object[]
}

const recorded: Recorded[] = []
let events: LoggedEvent[]
let server: TestServer
let receiver: Receiver

/** The same client, which also records each response. */
function record(client: Client): Client {
  const request: Client['request'] = async (method, path, body, options) => {
    const answer = await client.request(method, path, body, options)
    const operation = findOperation(method, `/api/v1${path}`)!
    recorded.push({ operation, answer, outdated: await listUntrueCopies(server.db) })
    return answer
  }
  const send = (method: string) => (path: string, body?: unknown, options?: object) =>
    request(method, path, body, options)
  return {
    request,
    get: (path, options) => request('GET', path, undefined, options),
    post: send('POST'),
    patch: send('PATCH'),
    put: send('PUT'),
    delete: send('DELETE'),
  }
}

const mailbox = await startMailbox()

before(async () => {
  server = await startServer({ config: { smtpUrl: mailbox.url, mailFrom: 'Desk <desk@example.com>' } })
  receiver = await startReceiver()
  const { db, acme } = server
  await callEverything(
    { ...server, api: record(server.api), stranger: record(server.stranger) },
    receiver.url,
  )
  events = await listEvents(db, acme)
})
after(async () => {
  await mailbox.close()
  await receiver.close()
  await server.close()
})

const describedBy = ({ method, path }: Endpoint) => document.paths[path][method.toLowerCase()]

/** How a response deviates from the document. */
function misfits({ operation, answer }: Recorded): string[] {
  const title = `${titleOf(operation)} → ${answer.status}`
  const described = describedBy(operation).responses[answer.status]
  if (!described) return [`${title} is not documented`]
  const { headers = {}, content } = resolve(described)
  if (content?.['application/octet-stream']) return answer.text ? [] : [`${title} has no bytes`]
  const schema = content?.['application/json'].schema
  const wrong = schema ? misfit(schema, answer.body) : answer.text && 'has a body'
  const known = new Set(Object.keys(headers).map(name => name.toLowerCase()))
  const special = ['etag', 'link', 'retry-after', 'idempotency-replayed', 'www-authenticate']
  const unknown = special.filter(name => answer.headers.has(name) && !known.has(name))
  return [
    ...(wrong ? [`${title}: ${wrong}`] : []),
    ...unknown.map(name => `${title} has an undocumented ${name}`),
  ]
}

test('the journey calls every operation', () => {
  const ran = new Set(recorded.map(({ operation }) => operation))
  const left = operations.filter(operation => !ran.has(operation)).map(operation => operationId(operation))
  assert.deepEqual(left, [], 'add them to test/conventions/journey.ts')
})

test('every operation succeeds at least once', () => {
  const done = new Set(recorded.filter(({ answer }) => answer.status < 300).map(({ operation }) => operation))
  assert.deepEqual(operations.filter(operation => !done.has(operation)).map(titleOf), [])
})

test('no operation leaves a denormalised copy of a ticket outdated', () => {
  assert.deepEqual(
    recorded.filter(({ outdated }) => outdated.length).map(({ operation }) => titleOf(operation)),
    [],
  )
})

test('every response matches the OpenAPI document', () => {
  assert.deepEqual([...new Set(recorded.flatMap(misfits))], [])
})

test('every documented ETag is sent', () => {
  const lacking = recorded.filter(({ operation, answer }) => {
    const { headers = {} } = resolve(describedBy(operation).responses[answer.status] ?? {})
    return 'ETag' in headers && !answer.headers.has('etag')
  })
  assert.deepEqual(
    lacking.map(({ operation }) => titleOf(operation)),
    [],
  )
})

test('every event of the catalogue is emitted, and no other', () => {
  const emitted = new Set(events.map(({ type }) => type))
  assert.deepEqual([...emitted].sort(), [...eventTypes].sort())
})

test('the data of every event has the fields of its schema and no others', () => {
  for (const { type, data } of events) {
    const schema = catalogue[type as keyof typeof catalogue]
    assert.equal(misfit({ ...schema, additionalProperties: false }, data), null, type)
  }
})
