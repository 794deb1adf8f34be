import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { makeMessage, makeTicket } from '../../test/cast.ts'
import { assertEnvelope } from '../../test/client.ts'
import { startServer } from '../../test/server.ts'
import { makePicture, makeUpload } from '../../test/upload.ts'
import { deleteExpiredMedia } from './media.ts'
import { createStorages, type Storages } from './storages.ts'
import {
  claimStrayObject,
  deleteDueStrayObjects,
  deleteStrayObject,
  insertStrayObject,
} from './stray-objects.ts'

const server = await startServer({ delivers: false })
const { api, db, config } = server
after(() => server.close())
const storages = createStorages(server)

/** The same storages, except that keys for which `isBroken` is true cannot be removed. */
const breakStorages = (isBroken: (key: string) => boolean): Storages => ({
  ...storages,
  async find(id) {
    const place = (await storages.find(id))!
    const remove = (key: string) =>
      isBroken(key) ? Promise.reject(new Error('no answer')) : place.storage.remove(key)
    return { ...place, storage: { ...place.storage, remove } }
  },
})

const listObjects = (): string[] =>
  readdirSync(join(config.dataDir, 'files'), { recursive: true })
    .map(path => String(path).split('/').at(-1)!)
    .filter(name => name.length >= 32)

const expire = (id: string) => db`update media set expires_at = now() - interval '1 second' where id = ${id}`

async function keyOf(id: string): Promise<string> {
  const [row] = await db`select storage_key from media where id = ${id}`
  return row!.storage_key
}

test('deletes a file that was not attached within 24 hours, with its object and thumbnail', async () => {
  const { id } = await makePicture(api)
  const key = await keyOf(id)
  await expire(id)
  assert.equal(await deleteExpiredMedia(db), 1)
  assert.equal((await api.get(`/media/${id}`)).status, 404)
  assert.equal(await deleteDueStrayObjects(db, storages, server.log), 1)
  assert.deepEqual(
    listObjects().filter(name => name.startsWith(key)),
    [],
  )
})

test('a deleted file can no longer be attached', async () => {
  const { id } = await makeUpload(api)
  await expire(id)
  await deleteExpiredMedia(db)
  const { id: ticket } = await makeTicket(api)
  const answer = await api.post(`/tickets/${ticket}/messages`, { media_ids: [id] })
  assertEnvelope(answer, 422, 'VALIDATION_ERROR', { ids: [id] })
})

test('keeps a file of a message, and one that has not expired', async () => {
  const attached = await makeUpload(api)
  const { id: ticket } = await makeTicket(api)
  await makeMessage(api, ticket, { media_ids: [attached.id] })
  const young = await makeUpload(api)
  assert.equal(await deleteExpiredMedia(db), 0)
  await expire(attached.id)
  assert.equal(await deleteExpiredMedia(db), 0)
  await deleteDueStrayObjects(db, storages, server.log)
  for (const { id } of [attached, young]) assert.equal((await api.get(`/media/${id}`)).text, 'Hello')
})

async function* bytes() {
  yield Buffer.from('x')
}

test('removes what a crash left of an upload within the hour, but not while the upload may be in progress', async () => {
  const storage_key = '0f'.repeat(16)
  await insertStrayObject(db, { storage_key, bucket_id: null })
  const { storage } = (await storages.find(null))!
  await storage.write(storage_key, bytes())
  await deleteDueStrayObjects(db, storages, server.log)
  assert.ok(listObjects().includes(storage_key))
  const [row] = await db`select due_at < now() + interval '1 hour' as is_soon from stray_objects`
  assert.ok(row!.is_soon)
  await db`update stray_objects set due_at = now()`
  assert.equal(await deleteDueStrayObjects(db, storages, server.log), 1)
  assert.ok(!listObjects().includes(storage_key))
  assert.equal((await db`select from stray_objects`).length, 0)
})

test('an object that is being removed can no longer become a file', async () => {
  const storage_key = '1f'.repeat(16)
  await insertStrayObject(db, { storage_key, bucket_id: null })
  await db`update stray_objects set due_at = now()`
  assert.equal(await claimStrayObject(db, storage_key), false)
  await deleteStrayObject(db, storages, storage_key)
})

test('keeps the record of an object whose storage fails, without delaying others', async () => {
  const broken = '2f'.repeat(16)
  const good = '3f'.repeat(16)
  for (const storage_key of [broken, good]) await insertStrayObject(db, { storage_key, bucket_id: null })
  await db`update stray_objects set due_at = now()`
  const failing = breakStorages(key => key === broken)
  assert.equal(await deleteDueStrayObjects(db, failing, server.log), 2)
  const left = await db`select storage_key, lease_until > now() as is_leased from stray_objects`
  assert.deepEqual([...left], [{ storage_key: broken, is_leased: true }])
  assert.equal(await deleteDueStrayObjects(db, storages, server.log), 0)
  await db`update stray_objects set lease_until = now()`
  assert.equal(await deleteDueStrayObjects(db, storages, server.log), 1)
})

test('objects of an unreachable storage do not delay objects that were never tried', async () => {
  const good = '4f'.repeat(16)
  for (let n = 0; n < 5; n++) await insertStrayObject(db, { storage_key: `dead-${n}`, bucket_id: null })
  await db`update stray_objects set due_at = now() - interval '1 hour'`
  const failing = breakStorages(key => key !== good)
  assert.equal(await deleteDueStrayObjects(db, failing, server.log), 5)
  await insertStrayObject(db, { storage_key: good, bucket_id: null })
  await db`update stray_objects set due_at = now() where storage_key = ${good}`
  await db`update stray_objects set lease_until = now() - interval '1 minute' where lease_until is not null`
  assert.equal(await deleteDueStrayObjects(db, failing, server.log, 1), 1)
  assert.equal((await db`select from stray_objects where storage_key = ${good}`).length, 0)
  await db`delete from stray_objects`
})
