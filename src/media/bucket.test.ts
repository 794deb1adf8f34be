import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, type TestContext, test } from 'node:test'
import { type S3, s3Options, settingsOf, startS3 } from '../../test/s3.ts'
import { startServer, type TestServer } from '../../test/server.ts'
import { until } from '../../test/until.ts'
import { makePicture, makeUpload } from '../../test/upload.ts'
import { listBuckets, removeBucket, setBucket } from './buckets.ts'
import { createStorages } from './storages.ts'
import { deleteDueStrayObjects, deleteExpiredMedia } from './stray-objects.ts'

/** Uses a real S3 server. */
const options = s3Options

const s3: S3 = s3Options.skip ? (null as never) : await startS3()
after(() => s3?.stop())

async function start(context: TestContext, config: object = {}): Promise<TestServer> {
  const server = await startServer({ delivers: false, config })
  context.after(() => server.close())
  return server
}

const large = Buffer.alloc(12_000_000, 'deskbell')
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

test('stores files in the bucket of the settings, and streams them from there', options, async context => {
  const { api } = await start(context, settingsOf(s3.makeBucket('installation')))
  const small = await makeUpload(api)
  const { id } = await makeUpload(api, { content: large })
  const picture = await makePicture(api)
  assert.equal(s3.listObjects('installation').length, 4)
  assert.equal((await api.get(`/media/${small.id}`)).text, 'Hello')
  const { text, headers } = await api.get(`/media/${id}`)
  assert.deepEqual([sha256(Buffer.from(text)), headers.get('content-length')], [sha256(large), '12000000'])
  const part = await api.get(`/media/${id}`, { headers: { range: 'bytes=8-15' } })
  assert.deepEqual([part.status, part.text], [206, 'deskbell'])
  assert.equal((await api.get(`/media/${picture.id}/thumb`)).headers.get('content-type'), 'image/webp')
})

test('deleting a file removes its object and thumbnail from the bucket', options, async context => {
  const server = await start(context, settingsOf(s3.makeBucket('deleting')))
  await makePicture(server.api)
  await server.db`update media set expires_at = now()`
  await deleteExpiredMedia(server.db)
  await deleteDueStrayObjects(server.db, createStorages(server), server.log)
  assert.deepEqual(s3.listObjects('deleting'), [])
})

test('a file records its storage, so that changed settings lose no file', options, async context => {
  const first = await start(context, settingsOf(s3.makeBucket('before')))
  const { id } = await makeUpload(first.api, { content: 'kept' })
  const { vault, db, config } = first
  for (const now of [{ s3Bucket: null }, settingsOf(s3.makeBucket('afterwards'))]) {
    const storages = createStorages({ db, vault, config: { ...config, ...now } })
    const [row] = await db`select bucket_id, storage_key from media where id = ${id}`
    const place = await storages.find(row!.bucket_id)
    const content = await place!.storage.read(row!.storage_key)
    assert.equal(Buffer.concat(await content!.toArray()).toString(), 'kept')
    const { bucketId } = await storages.choose(first.acme.id)
    assert.notEqual(bucketId, row!.bucket_id)
  }
})

test(
  "spec 4.2 GET media 302, spec 7.1 302: a file in the project's own bucket is answered with 302 to a URL that works without this server",
  options,
  async context => {
    const server = await start(context)
    const { api, outsider, acme } = server
    await setBucket(server, acme.id, s3.makeBucket('acme'))
    const picture = await makePicture(api)
    const { status, headers, text } = await api.get(`/media/${picture.id}`)
    assert.deepEqual([status, text, headers.get('cache-control')], [302, '', 'no-store'])
    const address = new URL(headers.get('location')!)
    assert.equal(address.searchParams.get('X-Amz-Expires'), '300')
    const fetched = await fetch(address)
    const bytes = Buffer.from(await fetched.arrayBuffer())
    assert.deepEqual([fetched.status, sha256(bytes)], [200, picture.sha256])
    assert.equal(fetched.headers.get('content-type'), 'image/png')
    assert.equal(fetched.headers.get('content-disposition'), 'attachment; filename=a.png')
    assert.equal((await api.get(`/media/${picture.id}/thumb`)).status, 302)
    assert.equal((await outsider.get(`/media/${picture.id}`)).status, 404)
    const theirs = await makeUpload(outsider)
    assert.equal((await outsider.get(`/media/${theirs.id}`)).status, 200)
  },
)

test(
  "after a project's bucket is removed, its files stay readable and new ones go elsewhere",
  options,
  async context => {
    const server = await start(context)
    const { api, db, vault, acme } = server
    await setBucket(server, acme.id, s3.makeBucket('given-up'))
    const old = await makeUpload(api)
    assert.equal(await removeBucket(db, acme.id), true)
    assert.equal((await api.get(`/media/${old.id}`)).status, 302)
    const fresh = await makeUpload(api)
    assert.equal((await api.get(`/media/${fresh.id}`)).status, 200)
    assert.partialDeepStrictEqual(await listBuckets(db, acme.id), [{ is_active: false, files: 1 }])
    await db`delete from media where id = ${old.id}`
    const { config, log } = await start(context)
    await deleteDueStrayObjects(db, createStorages({ db, vault, config }), log)
    await removeBucket(db, acme.id)
    assert.equal((await listBuckets(db, acme.id)).length, 0)
  },
)

test('refuses a bucket that the test cannot write to, and changes nothing', options, async context => {
  const server = await start(context)
  const { db, acme } = server
  const good = s3.makeBucket('good')
  await setBucket(server, acme.id, good)
  const before = await listBuckets(db, acme.id)
  for (const wrong of [
    { secret_access_key: 'wrong' },
    { access_key_id: 'nobody' },
    { bucket: 'missing' },
    { endpoint: 'http://127.0.0.1:1' },
  ]) {
    await assert.rejects(
      setBucket(server, acme.id, { ...good, ...wrong }),
      /cannot be used .*nothing was changed/,
    )
  }
  assert.deepEqual(await listBuckets(db, acme.id), before)
  assert.deepEqual(s3.listObjects('good'), [])
})

test('credentials are never shown', options, async context => {
  const server = await start(context)
  const { db, acme } = server
  await setBucket(server, acme.id, s3.makeBucket('secretive'))
  assert.doesNotMatch(JSON.stringify(await listBuckets(db, acme.id)), /tester/)
  const [row] = await db`select buckets::text as text, credentials from buckets`
  assert.doesNotMatch(row!.text + row!.credentials.toString('latin1'), /tester/)
})

test('an aborted upload leaves nothing in the bucket', options, async context => {
  const place = s3.makeBucket('broken-off')
  const server = await start(context, settingsOf(place))
  const storages = createStorages(server)
  const { storage } = await storages.choose(server.acme.id)
  const cut = async function* () {
    yield large
    throw new Error('the client has gone')
  }
  await assert.rejects(storage.write('cut', cut()), /has gone/)
  assert.equal(await storage.read('cut'), null)
  await storage.remove('cut')
  await until(() => s3.listObjects('broken-off').length === 0)
})
