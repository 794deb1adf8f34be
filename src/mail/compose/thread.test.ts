import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listMailReferences } from './references.ts'
import { makeThreadIndex } from './thread-index.ts'

const date = new Date('2026-11-03T08:00:00Z')
const bytesOf = (text: string): Buffer => Buffer.from(text, 'base64')

test('a new Thread-Index has 22 bytes, which contain the time and depend on the email', () => {
  const root = bytesOf(makeThreadIndex(null, date, 'm1'))
  assert.equal(root.length, 22)
  assert.equal(root[0], 1)
  const units = BigInt(root.readUIntBE(0, 6)) << 16n
  const at = Number(units / 10_000n) - 11_644_473_600_000
  assert.ok(Math.abs(at - date.getTime()) < 10)
  assert.equal(makeThreadIndex(null, date, 'm1'), root.toString('base64'))
  assert.notEqual(makeThreadIndex(null, date, 'm2'), root.toString('base64'))
})

test('the Thread-Index of a reply is that of the answered email with five more bytes', () => {
  const root = makeThreadIndex(null, date, 'm1')
  const hour = new Date(date.getTime() + 3_600_000)
  const first = makeThreadIndex(root, hour, 'm2')
  const second = makeThreadIndex(first, hour, 'm3')
  assert.deepEqual(bytesOf(first).subarray(0, 22), bytesOf(root))
  assert.deepEqual(bytesOf(second).subarray(0, 27), bytesOf(first))
  assert.deepEqual([bytesOf(first).length, bytesOf(second).length], [27, 32])
  const passed = (bytesOf(first).readUInt32BE(22) * 2 ** 18) / 10_000_000
  assert.ok(Math.abs(passed - 3_600) < 0.1, `${passed} s`)
})

test('the Thread-Index of a reply after two years uses the larger unit', () => {
  const root = makeThreadIndex(null, date, 'm1')
  const later = new Date(date.getTime() + 730 * 86_400_000)
  const block = bytesOf(makeThreadIndex(root, later, 'm2')).readUInt32BE(22)
  assert.ok(block >= 2 ** 31)
  assert.ok(Math.abs(((block - 2 ** 31) * 2 ** 23) / 1e7 - 730 * 86_400) < 1)
})

test('a Thread-Index that is broken or too long gives a valid one', () => {
  assert.equal(bytesOf(makeThreadIndex('not base64!', date, 'm1')).length, 22)
  assert.equal(bytesOf(makeThreadIndex(Buffer.alloc(29, 1).toString('base64'), date, 'm1')).length, 32)
  const long = bytesOf(makeThreadIndex(Buffer.alloc(100_000, 1).toString('base64'), date, 'm1'))
  assert.equal(long.length, 22 + 61 * 5)
})

const anchor = 't.one@acme.example'
const ids = (count: number): string[] => Array.from({ length: count }, (_, at) => `${at}@example.com`)

test('References have the first ID, the last 18 and the anchor', () => {
  const found = listMailReferences({ references: ids(50), inReplyTo: '49@example.com', anchor })
  assert.equal(found.length, 20)
  assert.equal(found[0], '0@example.com')
  assert.deepEqual(found.slice(1, 18), ids(50).slice(32, 49))
  assert.deepEqual(found.slice(-2), [anchor, '49@example.com'])
})

test('each ID is in References once, and the email that is answered is last', () => {
  const references = ['a@example.com', anchor, 'b@example.com', 'a@example.com']
  assert.deepEqual(listMailReferences({ references, inReplyTo: 'a@example.com', anchor }), [
    'b@example.com',
    anchor,
    'a@example.com',
  ])
  assert.deepEqual(listMailReferences({ references: [], inReplyTo: null, anchor }), [anchor])
  assert.deepEqual(listMailReferences({ references: [], inReplyTo: null, anchor: null }), [])
})

test('an ID that cannot be written in a header is left out', () => {
  const references = [
    'a b@example.com',
    'ä@example.com',
    'a>\r\nX: 1',
    `${'x'.repeat(2_000)}@example.com`,
    '',
  ]
  assert.deepEqual(listMailReferences({ references, inReplyTo: 'ok@example.com', anchor: null }), [
    'ok@example.com',
  ])
})
