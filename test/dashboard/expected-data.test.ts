import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from '../../src/core/config/config.ts'

// Its types need those of the browser, which the server's programs do not have.
const { endChange, expectData, postponeRefetch, takeBack } = await import(
  join(root, 'web/dashboard/core/expected-data.ts')
)

const add = (key: string[], item: string) => ({ key, next: (old: string[]) => [...old, item] })

/** The cache of the queries. */
function makeClient(key: string[], data?: string[]) {
  const cache = new Map([[JSON.stringify(key), data]])
  return {
    getQueryData: (key: string[]) => cache.get(JSON.stringify(key)),
    setQueryData: (key: string[], update: (old?: string[]) => string[]) =>
      cache.set(JSON.stringify(key), update(cache.get(JSON.stringify(key)))),
  }
}

test('a change that fails is taken back, and the later ones stay', () => {
  const key = ['taken back']
  const client = makeClient(key, ['first'])
  const [failing, later] = [add(key, 'failing'), add(key, 'later')]
  expectData(client, failing)
  expectData(client, later)
  assert.deepEqual(client.getQueryData(key), ['first', 'failing', 'later'])
  takeBack(client, failing)
  assert.deepEqual(client.getQueryData(key), ['first', 'later'])
  endChange(failing)
  takeBack(client, later)
  assert.deepEqual(client.getQueryData(key), ['first'])
  endChange(later)
})

test('the only change that fails leaves the data as it was', () => {
  const key = ['alone']
  const client = makeClient(key, ['first'])
  const change = add(key, 'failing')
  expectData(client, change)
  takeBack(client, change)
  assert.deepEqual(client.getQueryData(key), ['first'])
  assert.equal(endChange(change), false)
})

test('a refetch waits until the last change of its query has ended', () => {
  const key = ['outdated']
  const client = makeClient(key, ['first'])
  const [one, other] = [add(key, 'one'), add(key, 'other')]
  assert.equal(postponeRefetch(key), false)
  expectData(client, one)
  expectData(client, other)
  assert.equal(postponeRefetch(['another query']), false)
  assert.equal(postponeRefetch(key), true)
  assert.equal(endChange(other), false)
  assert.equal(endChange(one), true)
  assert.equal(postponeRefetch(key), false)
})

test('a change of data that is not loaded expects nothing', () => {
  const client = makeClient(['not loaded'])
  const change = add(['not loaded'], 'one')
  expectData(client, change)
  takeBack(client, change)
  assert.equal(client.getQueryData(change.key), undefined)
  endChange(change)
})
