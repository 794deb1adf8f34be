import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, beforeEach, test } from 'node:test'
import { settingsOf } from '../../test/s3.ts'
import { startServer } from '../../test/server.ts'
import { createAddressRule } from '../core/http/address.ts'
import { openBucket } from './bucket.ts'
import { setBucket } from './buckets.ts'
import { createStorages } from './storages.ts'

/** A name may resolve to another address each time. A bucket is never reached at an address that is closed to projects. */

const server = await startServer({ delivers: false })
const { acme, config } = server
const onPublic = { ...server, config: { ...config, publicUrl: 'https://desk.example.com' } }

let requests: string[] = []
const bucket = createServer((request, response) => {
  requests.push(request.method!)
  request.resume()
  const key = request.url!.split('?')[0]!.split('/').at(-1)
  response.writeHead(200, { etag: '"x"', connection: 'close' })
  response.end(request.url!.includes('uploads') ? '<ListMultipartUploadsResult/>' : key)
})
await once(bucket.listen(0, '127.0.0.1'), 'listening')
const { port } = bucket.address() as AddressInfo

after(async () => {
  bucket.closeAllConnections()
  bucket.close()
  await server.close()
})
beforeEach(() => {
  requests = []
})

const placeAt = (endpoint: string) => ({
  endpoint,
  bucket: 'files',
  region: 'us-east-1',
  path_style: true,
  access_key_id: 'key',
  secret_access_key: 'secret',
})

async function* bytes() {
  yield Buffer.from('content')
}

for (const host of ['localhost', '127.0.0.1', '[::ffff:127.0.0.1]']) {
  test(`a public server never contacts a project's bucket at ${host} to write, read, remove or test`, async () => {
    const place = placeAt(`http://${host}:${port}`)
    await setBucket(server, acme.id, placeAt(`http://127.0.0.1:${port}`))
    await server.db`update buckets set endpoint = ${place.endpoint}`
    requests = []
    const { storage } = await createStorages(onPublic).choose(acme.id)
    const refused = /may not reach/
    await assert.rejects(storage.write('key', bytes()), refused)
    await assert.rejects(storage.read('key'), refused)
    await assert.rejects(storage.remove('key'), refused)
    await assert.rejects(setBucket(onPublic, acme.id, place), /may not reach\); nothing was changed/)
    assert.deepEqual(requests, [])
    await server.db`delete from buckets`
  })
}

test('does not connect if a name changes from an allowed to a forbidden address', async () => {
  const rule = createAddressRule({ publicUrl: 'https://desk.example.com', allowedCidrs: ['127.0.0.1/32'] })
  const answers = ['127.0.0.1', '127.0.0.2', '127.0.0.2']
  const lookup = ((_name: string, _options: object, done: (error: null, found: object[]) => void) =>
    done(null, [{ address: answers.shift(), family: 4 }])) as never
  const storage = openBucket(placeAt(`http://turning.example:${port}`), {
    mayReach: rule.isAllowed,
    lookup,
  })
  await storage.write('key', bytes())
  await assert.rejects(storage.write('key', bytes()), /turning\.example .* may not reach/)
  assert.deepEqual(requests, ['PUT'])
})

test("the installation's own bucket may be in a private network", async () => {
  const own = { ...onPublic.config, ...settingsOf(placeAt(`http://127.0.0.1:${port}`)) }
  const { storage } = await createStorages({ ...onPublic, config: own }).choose(server.rival.id)
  await storage.write('key', bytes())
  assert.deepEqual(requests, ['PUT'])
})
