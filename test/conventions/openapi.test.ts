import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { maintenanceExample } from '../../src/docs/error-bodies.ts'
import { describeEvents } from '../../src/events/describe.ts'
import { assertEnvelope } from '../client.ts'
import { startServer } from '../server.ts'
import { document, misfit, resolve } from './document.ts'

interface Place {
  at: string
  media: { schema: object; example?: unknown; examples?: Record<string, { value: unknown }> }
}

/** Every body in the document that has a schema and examples. */
function listTicketKeys(node: unknown, at = '#'): Place[] {
  if (node === null || typeof node !== 'object') return []
  const inside = Object.entries(node).flatMap(([key, value]) => listTicketKeys(value, `${at}/${key}`))
  const isMedia = at.endsWith('/application/json') && 'schema' in node
  return isMedia ? [{ at, media: node as Place['media'] }, ...inside] : inside
}

const examplesOf = ({ example, examples = {} }: Place['media']): unknown[] =>
  example === undefined ? Object.values(examples).map(({ value }) => value) : [example]

test('the document is valid OpenAPI 3.1', async () => {
  const validator = new Validator()
  const { valid, errors } = await validator.validate(structuredClone(document))
  assert.deepEqual([valid, errors, validator.version], [true, undefined, '3.1'])
})

test('every body has an example, and every example matches its schema', () => {
  const places = listTicketKeys(document)
  assert.ok(places.length > 100)
  for (const { at, media } of places) {
    const examples = examplesOf(media)
    assert.ok(examples.length > 0, at)
    for (const example of examples) assert.equal(misfit(media.schema, example), null, at)
  }
})

test('no example is a placeholder word', () => {
  const examples = listTicketKeys(document).flatMap(({ media }) => examplesOf(media))
  const text = JSON.stringify(examples).replaceAll(/"(content_format|type)":"\w+"/g, '')
  assert.equal(/.{0,100}"(text|string)"/.exec(text)?.[0], undefined)
})

/** Whether a schema, or one inside it, has the format of IDs. */
function hasIdFormat(schema: object, above: object[] = []): boolean {
  const found = resolve(schema) as Record<string, unknown>
  if (found.format === 'uuid') return true
  if (above.includes(found)) return false
  return Object.values(found)
    .flatMap(value => (Array.isArray(value) ? value : [value]))
    .some(value => typeof value === 'object' && value !== null && hasIdFormat(value, [...above, found]))
}

test('no request promises the format of an ID, because every other text is an ID that does not exist', () => {
  const operations = Object.values(document.paths).flatMap(path => Object.values(path as object))
  const promising = operations.filter(
    ({ parameters = [], requestBody = {} }) => hasIdFormat(parameters) || hasIdFormat(requestBody),
  )
  assert.deepEqual(
    promising.map(({ operationId }) => operationId),
    [],
  )
})

test('every operation has a unique operationId', () => {
  const operations = Object.values(document.paths).flatMap(path => Object.values(path as object))
  const ids = operations.map(({ operationId }) => operationId)
  assert.deepEqual(ids.toSorted(), [...new Set(ids)].sort())
})

test('every operation has a summary, a description and a described tag', () => {
  const described = new Set(document.tags.map(({ name }: { name: string }) => name))
  const operations = Object.values(document.paths).flatMap(path => Object.values(path as object))
  const lacking = operations.filter(
    ({ summary, description, tags }) =>
      !summary || !description || !tags.every((tag: string) => described.has(tag)),
  )
  assert.deepEqual(
    lacking.map(({ operationId }) => operationId),
    [],
  )
})

test('every link fills all path parameters of its operation', () => {
  const operations = new Map(
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.values(methods as object).map(({ operationId }) => [operationId, path] as const),
    ),
  )
  const links = [...JSON.stringify(document).matchAll(/"links":(\{.*?\}\}\})/g)].flatMap(([, text]) =>
    Object.values(JSON.parse(text!) as Record<string, { operationId: string; parameters: object }>),
  )
  assert.ok(links.length > 50)
  for (const { operationId, parameters } of links) {
    const path = operations.get(operationId)
    const names = [...path!.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    assert.deepEqual(Object.keys(parameters), names, operationId)
  }
})

test('a value in a path that is rejected for its form does not have the form in the document', async context => {
  const server = await startServer({ delivers: false })
  context.after(() => server.close())
  const odd = '?Q >'
  let rejected = 0
  for (const [path, methods] of Object.entries<object>(document.paths).filter(([one]) => one.includes('{')))
    for (const [method, { parameters, requestBody }] of Object.entries(methods)) {
      const { example } = requestBody?.content['application/json'] ?? {}
      const place = path.replaceAll(/\{\w+\}/g, encodeURIComponent(odd))
      const { body } = await server.api.request(method.toUpperCase(), place, example)
      const problems: { loc: string[] }[] = Array.isArray(body?.detail) ? body.detail : []
      for (const { loc } of problems.filter(one => one.loc[0] === 'path')) {
        const { schema } = parameters.find(({ name }: { name?: string }) => name === loc[1])
        assert.notEqual(misfit(schema, odd), null, `${method} ${path}`)
        rejected++
      }
    }
  assert.ok(rejected > 2)
})

test('every event has a sample that matches its schema', () => {
  for (const { name, schema, sample } of describeEvents()) assert.equal(misfit(schema, sample), null, name)
})

test('the running server serves the same document, without a key', async context => {
  const server = await startServer({ delivers: false })
  context.after(() => server.close())
  const answer = await server.stranger.get('/openapi.json')
  const { publicUrl } = server.config
  const { servers, info, tags, externalDocs } = answer.body
  assert.equal(servers[0].variables.origin.default, publicUrl)
  assert.equal(info.contact.url, publicUrl)
  for (const docs of [
    externalDocs,
    ...tags.flatMap((tag: { externalDocs?: object }) => tag.externalDocs ?? []),
  ])
    assert.ok(docs.url.startsWith(`${publicUrl}/docs/`))
  const moved = JSON.parse(answer.text.replaceAll(`"${publicUrl}`, '"http://localhost:3000'))
  assert.deepEqual(moved, document)
  assert.deepEqual(
    [answer.headers.get('content-type'), answer.headers.get('cache-control')],
    ['application/json; charset=utf-8', 'no-store'],
  )
})

test('the response during maintenance is the documented one', async context => {
  const server = await startServer({ delivers: false })
  context.after(() => server.close())
  await server.db`update installation set maintenance = true`
  const { status, body, headers } = await server.api.get('/tickets')
  assert.deepEqual([status, body, headers.has('retry-after')], [503, maintenanceExample, true])
})

test('an unexpected error has the documented response, and the server continues', async context => {
  const server = await startServer({ delivers: false })
  context.after(() => server.close())
  await server.db`alter table tickets rename to elsewhere`
  assertEnvelope(await server.api.get('/tickets'), 500, 'INTERNAL_ERROR', null)
  await server.db`alter table elsewhere rename to tickets`
  assert.equal((await server.api.get('/tickets')).status, 200)
})

/** References below a node that lead back to one of the given components. */
function listCircles(node: unknown, above: string[] = []): string[] {
  if (node === null || typeof node !== 'object') return []
  const { $ref } = node as { $ref?: unknown }
  if (typeof $ref !== 'string') return Object.values(node).flatMap(value => listCircles(value, above))
  return above.includes($ref) ? [$ref] : listCircles(resolve({ $ref }), [...above, $ref])
}

test('no component refers to itself, as the page at /docs expects', () => {
  assert.deepEqual(listCircles(document.paths), [])
})
