import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventTypes, subscribable } from '../../src/events/catalogue.ts'
import { describeEvents } from '../../src/events/describe.ts'
import { document, misfit } from './document.ts'

/** What client generators need beyond a valid document. bin/clients runs two of them. */

interface Schema {
  type?: string | string[]
  enum?: unknown[]
  properties?: object
  additionalProperties?: unknown
}

const { schemas } = document.components

/** Every schema with its place in the document, except inside examples. */
function listSchemas(node: unknown, at = '#'): [string, Schema][] {
  if (node === null || typeof node !== 'object') return []
  const inside = Object.entries(node).flatMap(([key, value]) =>
    /^examples?$/.test(key) ? [] : listSchemas(value, `${at}/${key}`),
  )
  return 'type' in node || 'enum' in node ? [[at, node as Schema], ...inside] : inside
}

const placesWhere = (applies: (schema: Schema, at: string) => unknown): string[] =>
  listSchemas(document)
    .filter(([at, schema]) => applies(schema, at))
    .map(([at]) => at)

const isNamed = (at: string): boolean => /^#\/components\/schemas\/\w+(\/allOf\/1)?$/.test(at)

test('every enumeration and object has a name for client generators', () => {
  const nameless = placesWhere(
    (schema, at) =>
      !isNamed(at) &&
      ((schema.enum && schema.enum.length > 1) || schema.properties || schema.additionalProperties),
  )
  assert.deepEqual(nameless, [], 'name them in src/docs/names.ts')
})

test('every schema has one type besides null', () => {
  const several = placesWhere(({ type }) => [type].flat().filter(one => one !== 'null').length > 1)
  assert.deepEqual(several, [])
})

test('no schema name collides with a built-in name of a language', () => {
  const taken = ['Any', 'Date', 'Error', 'Exception', 'File', 'Map', 'Object', 'Record', 'Set', 'Warning']
  const shadowing = taken.filter(name => name in schemas)
  assert.deepEqual(shadowing, [])
})

for (const [union, names] of Object.entries({ Event: subscribable, Update: eventTypes })) {
  test(`${union} is a union of all events, discriminated by type`, () => {
    const { mapping, propertyName } = schemas[union].discriminator
    assert.deepEqual([propertyName, Object.keys(mapping)], ['type', names])
    for (const [name, $ref] of Object.entries(mapping)) {
      const sample = { seq: 1, ...describeEvents().find(event => event.name === name)!.sample }
      assert.equal(misfit({ $ref } as object, sample), null, name)
      assert.notEqual(misfit({ $ref }, { ...sample, type: 'other' }), null, name)
    }
  })
}

test('the body of each webhook is the schema of its event', () => {
  const described = Object.entries(document.webhooks).map(([name, webhook]) => {
    const { requestBody } = (webhook as typeof document).post
    return [name, requestBody.content['application/json'].schema.$ref]
  })
  assert.deepEqual(Object.fromEntries(described), schemas.Event.discriminator.mapping)
})

test('event names are an enumeration in every request and response', () => {
  const { parameters } = document.paths['/updates'].get
  const asked = parameters.find(({ name }: { name: string }) => name === 'events').schema
  const shown = ['NewWebhook', 'WebhookChange', 'Webhook'].map(name => schemas[name].properties.events)
  for (const { items } of [asked, ...shown])
    assert.deepEqual(items, { $ref: '#/components/schemas/EventType' })
  assert.deepEqual(schemas.EventType.enum, subscribable)
})

test('file downloads are binary', () => {
  const typesOf = (path: string) => document.paths[path].get.responses[200].content
  const schema = { type: 'string', format: 'binary' }
  assert.deepEqual(typesOf('/media/{media_id}'), { 'application/octet-stream': { schema } })
  assert.deepEqual(Object.keys(typesOf('/media/{media_id}/thumb'))[0], 'image/webp')
})
