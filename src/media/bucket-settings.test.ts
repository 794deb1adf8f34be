import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertEnvelope, assertProblems } from '../../test/client.ts'
import { type Desk, openDesk } from '../../test/desk.ts'
import { type S3, s3Options, startS3 } from '../../test/s3.ts'
import { startServer, type TestServer } from '../../test/server.ts'
import { upload } from '../../test/upload.ts'
import { chooseBucket } from './bucket-settings.ts'

let server: TestServer
let desk: Desk
before(async () => {
  server = await startServer({ delivers: false })
  desk = await openDesk(server)
})
after(() => server.close())

const place = {
  endpoint: 'http://127.0.0.1:1',
  bucket: 'files',
  region: 'eu-central-1',
  access_key_id: 'id',
  secret_access_key: 'hidden',
}

test('refuses a bucket that cannot be used, changes nothing and says why', async () => {
  const answer = await desk.admin.post('/bucket', place)
  assertEnvelope(answer, 409, 'NOT_POSSIBLE', { reason: 'bucket_unusable' })
  assert.match(answer.body.detail.message, /The bucket files at .* cannot be used .* nothing was changed/)
  assert.deepEqual((await desk.admin.get('/bucket')).body.items, [])
  assert.deepEqual((await desk.admin.get('/audit?action=bucket')).body.items, [])
})

test('refuses an endpoint that contains a secret or is in a network closed to projects', async () => {
  for (const endpoint of ['http://user:pass@host', 'http://host/?x=1']) {
    const answer = await desk.admin.post('/bucket', { ...place, endpoint })
    assertEnvelope(answer, 422, 'VALIDATION_ERROR', { field: 'endpoint', reason: 'not_an_address' })
  }
  assertProblems(await desk.admin.post('/bucket', { ...place, bucket: '' }), 'body.bucket')
  const caller = { project: server.acme, actor: { type: 'api' as const, id: server.acme.key.id } }
  const config = { ...server.config, publicUrl: 'https://desk.example.com' }
  await assert.rejects(chooseBucket({ ...server, config }, caller, place), {
    detail: { field: 'endpoint', reason: 'blocked_address' },
  })
})

test('only admins can see and set the bucket', async () => {
  for (const answer of [
    await desk.operator.get('/bucket'),
    await desk.operator.post('/bucket', place),
    await desk.operator.delete('/bucket'),
  ])
    assertEnvelope(answer, 403, 'ROLE_REQUIRED', { role: 'admin' })
})

test(
  'new files go into the bucket until it is removed, and its secret is never shown',
  s3Options,
  async t => {
    const s3: S3 = await startS3()
    t.after(() => s3.stop())
    const own = s3.makeBucket('own')
    const set = await desk.admin.post('/bucket', own)
    assert.partialDeepStrictEqual(set.body.items, [{ bucket: 'own', is_active: true, files: 0 }])
    await upload(server.api, { filename: 'a.txt', content: 'text' })
    assert.equal(s3.listObjects('own').length, 1)
    const removed = await desk.admin.delete('/bucket')
    assert.partialDeepStrictEqual(removed.body.items, [{ is_active: false, files: 1 }])
    const audit = await desk.admin.get('/audit?action=bucket')
    assert.deepEqual(
      audit.body.items.map((one: { action: string }) => one.action),
      ['bucket.removed', 'bucket.set'],
    )
    assert.ok(!(set.text + audit.text).includes(own.secret_access_key))
    assert.deepEqual((await desk.stranger.get('/bucket')).body.items, [])
  },
)
