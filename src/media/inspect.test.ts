import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { png } from '../../test/upload.ts'
import { inspect, noImageInfo } from './inspect.ts'
import type { Storage } from './storage.ts'

const storageOf = (read: Storage['read']): Storage => ({
  read,
  sign: null,
  write: () => Promise.reject(new Error('nothing is written here')),
  remove: () => Promise.reject(new Error('nothing is removed here')),
})

const good = storageOf(async () => Readable.from([png(8, 6)]))
const look = (storage: Storage, timeoutMs?: number) => inspect(storage, 'key', 'image/png', 1_000, timeoutMs)

async function assertTurnsAreFree() {
  const looks = await Promise.all([1, 2, 3, 4, 5].map(() => look(good, 60_000)))
  for (const { width, height } of looks) assert.deepEqual([width, height], [8, 6])
}

/** A storage whose objects start but never end. */
function makeDripping(context: TestContext) {
  const contents: Readable[] = []
  context.after(() => {
    for (const content of contents) content.destroy()
  })
  const storage = storageOf(async () => {
    const content = new Readable({ read() {} })
    content.push('x')
    contents.push(content)
    return content
  })
  return { storage, contents }
}

test('gives up an object that arrives too slowly, without delaying other images', async context => {
  const { storage, contents } = makeDripping(context)
  assert.deepEqual(await Promise.all([look(storage, 50), look(storage, 50)]), [noImageInfo, noImageInfo])
  assert.deepEqual(
    contents.map(content => content.destroyed),
    [true, true],
  )
  await assertTurnsAreFree()
})

test('a storage that answers too late leaves no stream open', async () => {
  const { promise, resolve } = Promise.withResolvers<Readable>()
  assert.deepEqual(
    await look(
      storageOf(() => promise),
      50,
    ),
    noImageInfo,
  )
  const content = new Readable({ read() {} })
  resolve(content)
  await promise
  assert.ok(content.destroyed)
  await assertTurnsAreFree()
})

test('an image that gets no slot in time is stored without size and thumbnail', async context => {
  const { storage, contents } = makeDripping(context)
  const holders = [look(storage, 60_000), look(storage, 60_000)]
  assert.deepEqual(await look(good, 50), noImageInfo)
  for (const content of contents) content.destroy()
  assert.deepEqual(await Promise.all(holders), [noImageInfo, noImageInfo])
  await assertTurnsAreFree()
})
