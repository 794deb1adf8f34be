import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { settingsOf } from '../../test/s3.ts'
import { startServer } from '../../test/server.ts'
import { newId } from '../core/ids.ts'
import { removeBucket, seal } from './buckets.ts'
import { createStorages, type Storages } from './storages.ts'
import { deleteStrayObject, reserveObject } from './stray-objects.ts'

/** Tests which storage is chosen; none of these buckets is ever contacted. */

const server = await startServer({ delivers: false })
const { db, vault, config, acme } = server
after(() => server.close())

const place = {
  endpoint: 'http://127.0.0.1:1',
  bucket: 'files',
  region: 'us-east-1',
  path_style: true,
  access_key_id: 'key',
  secret_access_key: 'secret',
}

async function insertBucket(): Promise<string> {
  const id = newId()
  await db`
    insert into buckets (id, project_id, endpoint, bucket, region, path_style, credentials)
    values (${id}, ${acme.id}, ${place.endpoint}, 'files', 'us-east-1', true, ${seal(vault, acme.id, place)})`
  return id
}

test("processes that share the installation's bucket each reuse one client", async () => {
  const settings = { ...config, ...settingsOf(place) }
  const [one, other] = [1, 2].map(() => createStorages({ db, vault, config: settings }))
  const { bucketId } = await one!.choose(acme.id)
  await other!.choose(acme.id)
  const { storage } = (await one!.find(bucketId))!
  assert.equal((await one!.choose(acme.id)).storage, storage)
  assert.equal((await one!.find(bucketId))!.storage, storage)
})

test('if a bucket is removed while an upload chooses it, the upload chooses again', async () => {
  await insertBucket()
  const storages = createStorages(server)
  let choices = 0
  const slow: Storages = {
    ...storages,
    async choose(projectId) {
      const chosen = await storages.choose(projectId)
      if (choices++ === 0) await removeBucket(db, projectId)
      return chosen
    },
  }
  const { bucketId } = await reserveObject({ db, storages: slow }, acme.id, 'chosen-again')
  assert.deepEqual([bucketId, choices], [null, 2])
  await deleteStrayObject(db, storages, 'chosen-again')
})

test('a bucket keeps its row while an object has to be removed from it', async () => {
  const id = await insertBucket()
  const storages = createStorages(server)
  await reserveObject({ db, storages }, acme.id, 'waiting')
  await removeBucket(db, acme.id)
  assert.equal((await storages.find(id))?.bucketId, id)
  await db`delete from stray_objects where storage_key = 'waiting'`
  await removeBucket(db, acme.id)
  assert.equal(await storages.find(id), null)
})

test('keeps the record of an object whose bucket is unknown', async () => {
  const storages = createStorages(server)
  const { bucketId } = await reserveObject({ db, storages }, acme.id, 'unknown')
  assert.equal(bucketId, null)
  await assert.rejects(deleteStrayObject(db, { ...storages, find: async () => null }, 'unknown'), /unknown/)
  assert.equal((await db`select from stray_objects where storage_key = 'unknown'`).length, 1)
})
