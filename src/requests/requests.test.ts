import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeTicket, nobody, unique } from '../../test/cast.ts'
import { assertEnvelope, assertProblems } from '../../test/client.ts'
import { type Desk, openDesk } from '../../test/desk.ts'
import { startServer, type TestServer } from '../../test/server.ts'
import { until } from '../../test/until.ts'
import { createProjectOnPlan } from '../billing/choose-plan.ts'
import { firstIdOf } from '../core/ids.ts'
import { deleteOldRequests, maxScannedRequests } from './list.ts'
import { createRecorder } from './recorder.ts'

let server: TestServer
let desk: Desk
before(async () => {
  server = await startServer({ delivers: false })
  desk = await openDesk(server)
})
after(() => server.close())

const find = async (query: string) => (await desk.admin.get(`/requests?${query}`)).body.items
const ask = async (path: string, requestId = unique()) => {
  await server.api.get(path, { headers: { 'x-request-id': requestId } })
  return until(async () => (await find(`request_id=${requestId}`))[0])
}

test('a call can be found by its X-Request-ID, with its request and status', async () => {
  const { id } = await makeTicket(server.api)
  const logged = await ask(`/tickets/${id}?x=1`)
  assert.partialDeepStrictEqual(logged, {
    method: 'GET',
    path: `/api/v1/tickets/${id}?x=1`,
    status: 200,
    key_id: server.acme.key.id,
    key_name: "Acme's key",
  })
  assert.ok(logged.ms >= 0 && logged.ms < 10_000)
})

test('refused calls are logged too, and secrets in the query are not', async () => {
  const logged = await ask(`/nothing?q=kept&api_key=hidden&X-Token=hidden&page=2`)
  assert.equal(logged.status, 404)
  assert.equal(logged.path, '/api/v1/nothing?q=kept&api_key=…&X-Token=…&page=2')
})

test('the list can be filtered by method, status, path, key and time', async () => {
  const word = unique()
  await ask(`/tickets?external_id=${word}`)
  await ask(`/tickets/${word}`)
  const statuses = async (query: string) =>
    (await find(`path=${word}&${query}`)).map((one: { status: number }) => one.status)
  assert.deepEqual(await statuses('method=GET'), [404, 200])
  assert.deepEqual(await statuses('method=POST'), [])
  assert.deepEqual(await statuses('status=4xx'), [404])
  assert.deepEqual(await statuses('status=200,500'), [200])
  assert.deepEqual(await statuses(`key_id=${nobody}`), [])
  assert.deepEqual(await statuses('created_after=2020-01-01'), [404, 200])
  assert.deepEqual(await statuses('created_before=2020-01-01'), [])
  assertProblems(await desk.admin.get('/requests?status=9xx'), 'query.status.0')
})

test('only admins see the log, and only that of their project', async () => {
  const { request_id } = await ask('/project')
  assertEnvelope(await desk.operator.get('/requests'), 403, 'ROLE_REQUIRED')
  assert.deepEqual((await desk.stranger.get(`/requests?request_id=${request_id}`)).body.items, [])
})

test('a page searches a limited number of calls, and its cursor continues with the others', async () => {
  const [path, key] = [`/${unique()}`, server.acme.key.id]
  await server.db`
    insert into api_requests (project_id, id, request_id, key_id, method, path, status, ms, created_at)
    select ${server.acme.id}, case when n = 1 then ${firstIdOf(Date.now() - 60_000)}::uuid else uuid_v7() end, 'bulk', ${key}, 'GET', case when n = 1 then ${path} else '/other' end, 200, 1, now()
    from generate_series(1, ${maxScannedRequests + 5}) n`
  const first = (await desk.admin.get(`/requests?path=${path}`)).body
  assert.deepEqual([first.items, first.has_more], [[], true])
  const next = (await desk.admin.get(`/requests?path=${path}&cursor=${first.next_cursor}`)).body
  assert.deepEqual(
    [next.items.map((one: { path: string }) => one.path), next.has_more, next.next_cursor],
    [[path], false, null],
  )
  await server.db`delete from api_requests where request_id = 'bulk'`
})

test('deletes old requests in small batches and keeps newer ones', async () => {
  const { id } = await ask('/project')
  await ask('/tags')
  await server.db`update api_requests set created_at = now() - interval '7 days 1 s' where id = ${id}`
  assert.equal(await deleteOldRequests(server.db, server.config), 1)
  assert.equal(await deleteOldRequests(server.db, server.config), 0)
  assert.ok((await find('')).length > 0)
})

const callerOf = (id: string) => ({ project: { id, name: 'x' }, actor: { type: 'api' as const, id: nobody } })
const request = { id: 'x', method: 'GET', url: '/' }

test('logs no requests of a project that is being deleted or does not exist', async () => {
  const doomed = await server.db.begin(tx => createProjectOnPlan(tx, { name: 'Doomed' }))
  const recorder = createRecorder(server.db, { warn() {} })
  const see = ({ id }: { id: string }) =>
    recorder.see(callerOf(id), request as never, { statusCode: 200, elapsedTime: 1 } as never)
  for (const project of [doomed, { id: nobody }]) see(project)
  await server.db`update projects set deleting_since = now() where id = ${doomed.id}`
  await recorder.stop()
  assert.deepEqual(
    [...(await server.db`select from api_requests where project_id in (${doomed.id}, ${nobody})`)],
    [],
  )
})

test('drops and counts requests beyond the limit, and keeps errors first', async () => {
  const busy = await server.db.begin(tx => createProjectOnPlan(tx, { name: 'Busy' }))
  const recorder = createRecorder(server.db, { warn() {} })
  const see = (statusCode: number) =>
    recorder.see(callerOf(busy.id), request as never, { statusCode, elapsedTime: 1 } as never)
  for (let count = 0; count < 1_000; count++) see(200)
  for (let count = 0; count < 200; count++) see(500)
  await recorder.stop()
  const rows = await server.db`
    select status, count(*)::int from api_requests where project_id = ${busy.id} group by status order by status`
  assert.deepEqual(
    [...rows].map(row => [row.status, row.count]),
    [
      [200, 375],
      [500, 125],
    ],
  )
  assert.equal(recorder.dropped(), 700)
})

test('if the database refuses the log, only log entries are lost', async () => {
  const warnings: unknown[] = []
  const recorder = createRecorder(server.db, { warn: (it: unknown) => warnings.push(it) } as never)
  recorder.see(
    callerOf(server.acme.id),
    { ...request, id: '\ud800\0' } as never,
    { statusCode: 200, elapsedTime: 1 } as never,
  )
  await recorder.stop()
  assert.equal(recorder.dropped(), 1)
  assert.equal(warnings.length, 1)
})
