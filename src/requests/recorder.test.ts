import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuTime } from '../../test/cpu-time.ts'
import type { Db } from '../core/db/db.ts'
import type { Caller } from '../core/endpoint.ts'
import { dropSlash } from '../help/resolve-visit.ts'
import { createRecorder, withoutSecrets } from './recorder.ts'

/** Milliseconds of the processor that a function may take for an address of 16 KB. */
const maxMs = 20

/** Pieces of URLs that made a regular expression try every way to split them. */
const hostile = ['?key', '&token', '/', '.', ' ', '?', '&', '=', '%3F', '?key=', '/?']

test('searches a URL of 16 KB in milliseconds, whatever it contains', () => {
  for (const piece of hostile)
    for (const read of [withoutSecrets, readHelpAddress]) {
      const address = `/${piece.repeat(16_384 / piece.length)}x`
      const ms = Math.min(...[1, 2, 3].map(() => measure(() => read(address))))
      assert.ok(ms < maxMs, `${read.name} took ${ms} ms for ${JSON.stringify(piece)}`)
    }
})

/** A garbage collection or the compiler may use the processor during one attempt, but not during all. */
function measure(work: () => void): number {
  const begun = cpuTime()
  work()
  return cpuTime() - begun
}

/** Throws when the address has moved. */
function readHelpAddress(address: string): void {
  try {
    dropSlash(address)
  } catch {}
}

test('hides the value of a parameter whose name suggests a secret', () => {
  assert.equal(withoutSecrets('/a?api_key=1&page=2&TOKEN=3&x'), '/a?api_key=…&page=2&TOKEN=…&x')
  assert.equal(withoutSecrets('/key=1?signature='), '/key=1?signature=…')
  assert.equal(withoutSecrets(`/a?secret=${'x'.repeat(600)}`), '/a?secret=…')
})

test('blames the database, not the number of requests, when the database refuses the request log', async context => {
  context.mock.timers.enable({ apis: ['setInterval'] })
  const lines: string[] = []
  const log = { warn: (_fields: object, words: string) => void lines.push(words) }
  const refuse = () => {
    throw new Error('The database is away')
  }
  const recorder = createRecorder(Object.assign(refuse, { json: refuse }) as unknown as Db, log as never)
  const caller = { project: { id: 'p' }, actor: { id: 'k' } } as Caller
  const request = { id: 'r', method: 'GET', url: '/api/v1/tickets' }
  recorder.see(caller, request as never, { statusCode: 200, elapsedTime: 1 } as never)
  for (const expected of [1, 1]) {
    context.mock.timers.tick(1_000)
    await new Promise(setImmediate)
    assert.equal(lines.length, expected)
  }
  assert.match(lines[0]!, /^Could not log API requests/)
  assert.equal(recorder.dropped(), 1)
  await recorder.stop()
})
