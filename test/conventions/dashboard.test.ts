import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { roles } from '../../src/core/roles.ts'
import { dashboardGroups } from '../../src/dashboard.ts'
import { exampleBody } from '../../src/docs/examples.ts'
import { nobody } from '../cast.ts'
import { type Answer, assertBrief, assertEnvelope } from '../client.ts'
import { type Browser, joinCast, openBrowser, type Person } from '../operator.ts'
import { startServer, type TestServer } from '../server.ts'
import { fillPath } from './operations.ts'

/** Checks the permissions of every dashboard operation. */

const groups = dashboardGroups({} as Parameters<typeof dashboardGroups>[0])
const operations = Object.entries(groups).flatMap(([prefix, definitions]) =>
  definitions.map(definition => ({ ...definition, prefix, path: prefix + definition.path })),
)
const closed = operations.filter(({ isPublic }) => !isPublic)
const ofProject = operations.filter(({ prefix }) => prefix !== '')

let server: TestServer
let people: Record<'olga' | 'omar' | 'rita', Person>
before(async () => {
  server = await startServer({ delivers: false })
  people = await joinCast(server)
})
after(() => server.close())

type Operation = (typeof operations)[number]

const titleOf = ({ method, path }: Operation): string => `${method} ${path}`

/** The ids of a request: a real project id, and ids of missing records for all else. */
const idsOf = ({ path }: Operation, project_id: string): Record<string, string> =>
  Object.fromEntries(
    [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, name === 'project_id' ? project_id : nobody]),
  )

function ask(browser: Browser, operation: Operation, headers: Record<string, string> = {}): Promise<Answer> {
  const path = fillPath(operation, idsOf(operation, server.acme.id))
  const body = operation.parts ? undefined : operation.body && exampleBody(operation)
  const type: Record<string, string> = operation.parts
    ? { 'content-type': 'multipart/form-data; boundary=x' }
    : {}
  return browser.own.request(operation.method, path, body, {
    headers: { ...type, ...headers },
    ...(operation.parts && { raw: '--x--\r\n' }),
  })
}

for (const operation of closed) {
  test(`${titleOf(operation)} answers 401 without a session`, async () =>
    assertEnvelope(await ask(openBrowser(server), operation), 401, 'SESSION_REQUIRED'))
}

for (const operation of ofProject) {
  test(`${titleOf(operation)} answers 404 to people of other projects`, async () =>
    assertEnvelope(await ask(people.rita, operation), 404, 'PROJECT_NOT_FOUND'))
}

for (const operation of ofProject.filter(({ minRole = 'operator' }) => roles.indexOf(minRole) > 0)) {
  test(`${titleOf(operation)} answers 403 to an operator`, async () =>
    assertEnvelope(await ask(people.omar, operation), 403, 'ROLE_REQUIRED', { role: operation.minRole! }))
}

for (const operation of operations.filter(({ method }) => method !== 'GET')) {
  test(`${titleOf(operation)} answers 403 to a request from another site`, async () => {
    const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
    assertEnvelope(await ask(people.olga, operation, headers), 403, 'CROSS_SITE')
  })
}

for (const path of new Set(operations.map(({ path }) => path))) {
  test(`${path} answers 405 to other methods`, async () => {
    const own = operations.filter(one => one.path === path)
    const [operation] = own as [Operation]
    const other = ['PUT', 'PATCH', 'POST'].find(method => own.every(one => one.method !== method))!
    const url = fillPath(operation, idsOf(operation, server.acme.id))
    const answer = await people.olga.own.request(other, url)
    assertBrief(answer, 405)
    assert.match(answer.headers.get('allow')!, new RegExp(operation.method))
  })
}

test('no GET operation has a body', () => {
  const writing = operations.filter(({ method, body, parts }) => method === 'GET' && (body || parts))
  assert.deepEqual(writing.map(titleOf), [])
})
