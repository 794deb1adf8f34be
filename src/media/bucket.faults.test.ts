import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { assertEnvelope } from '../../test/client.ts'
import { settingsOf } from '../../test/s3.ts'
import { startServer } from '../../test/server.ts'
import { upload } from '../../test/upload.ts'
import { mayReachAll } from '../core/http/guarded-agent.ts'
import { type BucketSpec, openBucket } from './bucket.ts'
import { setBucket } from './buckets.ts'

/** Buckets that fail: the caller gets an error within 30 seconds, and the failed upload leaves no record. */

const faults: Record<string, RequestListener> = {
  'answers 500': (_request, response) => void response.writeHead(500).end(),
  'refuses with 403': (_request, response) => void response.writeHead(403).end(),
  'resets the connection': request => void request.socket.resetAndDestroy(),
  'answers with invalid XML': (_request, response) => void response.writeHead(200).end('what?'),
}

const hangs: Record<string, RequestListener> = {
  'never answers': () => {},
  'never reads': request => void request.pause(),
}

const sizes = [1_000, 8_000_000]

async function startBucket(context: TestContext, listener: RequestListener): Promise<BucketSpec> {
  const server: Server = createServer(listener)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  context.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bucket: 'files',
    region: 'us-east-1',
    path_style: true,
    access_key_id: 'key',
    secret_access_key: 'secret',
  }
}

async function assertFailedUpload(
  context: TestContext,
  listener: RequestListener,
  size: number,
  maxMs = Infinity,
) {
  const place = await startBucket(context, listener)
  const server = await startServer({ delivers: false, config: settingsOf(place) })
  context.after(() => server.close())
  const begun = performance.now()
  const answer = await upload(server.api, { content: Buffer.alloc(size, 'x') })
  assert.ok(performance.now() - begun < maxMs)
  assertEnvelope(answer, 502, 'MEDIA_UPLOAD_FAILED', null)
  assert.equal((await server.db`select from media`).length, 0)
}

async function* bytesOf(size: number) {
  yield Buffer.alloc(size, 'x')
}

/** The same bucket with short timeouts. */
const openWithShortTimeouts = (place: BucketSpec, silence = 1_000) =>
  openBucket(place, { timeouts: { connection: 1_000, silence }, mayReach: mayReachAll })

for (const [fault, listener] of Object.entries(faults)) {
  for (const size of sizes) {
    // A small object needs no XML: only the status 200 counts.
    if (fault === 'answers with invalid XML' && size === 1_000) continue

    test(`spec 4.2 media upload 502: a bucket that ${fault} fails an upload of ${size} bytes with 502`, context =>
      assertFailedUpload(context, listener, size))
  }
}

test('a bucket that hangs fails an upload with 502 within 30 seconds', context =>
  assertFailedUpload(context, hangs['never answers']!, 1_000, 30_000))

for (const [fault, listener] of Object.entries(hangs)) {
  for (const size of sizes) {
    test(`gives up a bucket that ${fault} while writing ${size} bytes`, async context => {
      const storage = openWithShortTimeouts(await startBucket(context, listener))
      await assert.rejects(storage.write('key', bytesOf(size)), { name: 'TimeoutError' })
    })
  }
}

test('gives up a bucket that never answers while reading', async context => {
  const storage = openWithShortTimeouts(await startBucket(context, hangs['never answers']!))
  await assert.rejects(storage.read('key'), { name: 'TimeoutError' })
})

test('a slow bucket may take long for a part as long as it makes progress', async context => {
  const place = await startBucket(context, (request, response) => {
    let left = 90
    const moving = setInterval(() => {
      if (left-- > 0) return response.writeProcessing()
      clearInterval(moving)
      response.writeHead(200, { etag: '"x"' }).end()
    }, 100)
    request.resume()
    response.on('close', () => clearInterval(moving))
  })
  await openWithShortTimeouts(place, 8_000).write('key', bytesOf(1_000))
})

test('fails the read if a bucket stops sending in the middle of an object', async context => {
  const place = await startBucket(context, (_request, response) => {
    response.writeHead(200, { 'content-length': 1_000 }).write('the beginning')
  })
  const content = await openWithShortTimeouts(place).read('key')
  await assert.rejects(content!.toArray(), /stopped sending/)
})

test('a client that pauses longer than the silence timeout still gets the whole object', async context => {
  const size = 20_000_000
  const place = await startBucket(context, (_request, response) => {
    response.writeHead(200, { 'content-length': size }).end(Buffer.alloc(size, 'x'))
  })
  const content = (await openWithShortTimeouts(place).read('key')) as IncomingMessage
  for (let pauses = 0; pauses < 2; pauses++) await once(content.socket, 'timeout')
  assert.equal(Buffer.concat(await content.toArray()).length, size)
})

const refusals: Record<string, (request: IncomingMessage) => boolean> = {
  'cannot be read': ({ method, url }) => method === 'GET' && !url!.includes('uploads'),
  'does not list started uploads': ({ url }) => url!.includes('uploads'),
}

for (const [fault, isRefused] of Object.entries(refusals)) {
  test(`refuses a bucket that ${fault}, and its test leaves nothing behind`, async context => {
    const objects = new Set<string>()
    const written: string[] = []
    const place = await startBucket(context, (request, response) => {
      const path = request.url!.split('?')[0]!
      if (request.method === 'PUT') written.push(path)
      if (request.method === 'PUT') objects.add(path)
      if (request.method === 'DELETE') objects.delete(path)
      const body = request.url!.includes('uploads') ? '<ListMultipartUploadsResult/>' : path.split('/').at(-1)
      request.resume()
      response.writeHead(isRefused(request) ? 403 : 200, { etag: '"x"' }).end(body)
    })
    const server = await startServer({ delivers: false })
    context.after(server.close)
    const { db, acme } = server
    await assert.rejects(setBucket(server, acme.id, place), /cannot be used .*nothing was changed/)
    assert.deepEqual([written.length, [...objects]], [1, []])
    assert.equal((await db`select from buckets`).length, 0)
  })
}
