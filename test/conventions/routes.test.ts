import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { briefs } from '../../src/core/errors.ts'
import { assertBrief } from '../client.ts'
import { startServer, type TestServer } from '../server.ts'
import { fillPath, operations, titleOf } from './operations.ts'

let server: TestServer

before(async () => {
  server = await startServer({ delivers: false })
})
after(() => server.close())

for (const operation of operations.filter(({ isPublic }) => !isPublic)) {
  test(`${titleOf(operation)} answers 401 without a key`, async () => {
    const answer = await server.stranger.request(operation.method, fillPath(operation))
    assertBrief(answer, 401, briefs.key_missing[1])
    assert.equal(answer.headers.get('www-authenticate'), 'Bearer')
  })
}

for (const operation of operations.filter(({ isPublic }) => isPublic)) {
  test(`${titleOf(operation)} works without a key`, async () => {
    assert.equal((await server.stranger.request(operation.method, fillPath(operation))).status, 200)
  })
}

const paths = Map.groupBy(operations, ({ path }) => path)

for (const [path, [first, ...others]] of paths) {
  test(`${path} answers 405 with Allow to other methods`, async () => {
    const other = [first!, ...others].some(({ method }) => method === 'PUT') ? 'PATCH' : 'PUT'
    const answer = await server.api.request(other, fillPath(first!), {})
    assertBrief(answer, 405, briefs.method_not_allowed[1])
    const allowed = answer.headers.get('allow')!.split(', ')
    assert.deepEqual(
      [first!, ...others].filter(({ method }) => !allowed.includes(method)),
      [],
    )
  })
}

test('an unknown path answers 404 with a key and 401 without', async () => {
  assertBrief(await server.api.get('/nothing'), 404, briefs.not_found[1])
  assertBrief(await server.stranger.get('/nothing'), 401, briefs.key_missing[1])
})
