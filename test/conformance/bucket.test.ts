import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { after, type TestContext, test } from 'node:test'
import { setBucket } from '../../src/media/buckets.ts'
import { assertBrief } from '../client.ts'
import { startServer } from '../server.ts'
import { makeUpload } from '../upload.ts'

const server = await startServer({ delivers: false })
const { api, outsider, acme } = server
after(() => server.close())

/** The operations of a bucket on single objects, so that this rule is also tested without an S3 server. */
async function startBucket(context: TestContext) {
  const uploads = Buffer.from('<ListMultipartUploadsResult/>')
  const objects = new Map([['/acme/', uploads]])
  const bucket = createServer(async (request, response) => {
    const key = request.url!.split('?')[0]!
    if (request.method === 'PUT') objects.set(key, await buffer(request))
    if (request.method === 'DELETE') objects.delete(key)
    const content = request.method === 'GET' ? objects.get(key) : Buffer.alloc(0)
    response.writeHead(content ? 200 : 404).end(content)
  })
  await once(bucket.listen(0, '127.0.0.1'), 'listening')
  context.after(() => {
    bucket.closeAllConnections()
    bucket.close()
  })
  return `http://127.0.0.1:${(bucket.address() as AddressInfo).port}`
}

test("spec 4.2 GET media 302, spec 7.1 302: a download redirects to the file in the project's own bucket", async t => {
  const endpoint = await startBucket(t)
  const place = { endpoint, bucket: 'acme', region: 'us-east-1', path_style: true }
  await setBucket(server, acme.id, { ...place, access_key_id: 'key', secret_access_key: 'secret' })
  const [ours, theirs] = [await makeUpload(api, { content: 'Ours' }), await makeUpload(outsider)]
  const { status, text, headers } = await api.get(`/media/${ours.id}`)
  assert.deepEqual([status, text], [302, ''])
  const address = headers.get('location')!
  assert.ok(address.startsWith(`${endpoint}/acme/`), address)
  assert.equal(await (await fetch(address)).text(), 'Ours')
  assertBrief(await outsider.get(`/media/${ours.id}`), 404, 'File not found')
  assert.equal((await outsider.get(`/media/${theirs.id}`)).status, 200)
})
