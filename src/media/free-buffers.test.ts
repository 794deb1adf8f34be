import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { startServer } from '../../test/server.ts'
import { formEnd, formType, headOf, makeUpload } from '../../test/upload.ts'
import { releaseRead } from './free-buffers.ts'

const server = await startServer({ delivers: false })
const { api, url, acme } = server
after(() => server.close())

const piece = 64 * 1024
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const authorization = `Bearer ${acme.key.key}`

test('frees a buffer when the next one is requested, except if it shares its memory', async () => {
  const pieces = [Buffer.alloc(piece), Buffer.alloc(2 * piece).subarray(piece), Buffer.alloc(100)]
  const seen: number[] = []
  for await (const one of releaseRead(Readable.from(pieces))) seen.push(one.length)
  assert.deepEqual(seen, [piece, piece, 100])
  assert.deepEqual(
    pieces.map(one => one.length),
    [0, piece, 100],
  )
})

test('an upload in separate chunks is stored unchanged, and its type is detected', async () => {
  const content = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(20 * piece)])
  const upload = request(`${url}/media/upload`, { method: 'POST', headers: { authorization, ...formType } })
  const answered = once(upload, 'response')
  const send = (bytes: string | Buffer) => new Promise(done => upload.write(bytes, done))
  await send(headOf({ filename: 'a.pdf' }))
  for (let at = 0; at < content.length; at += piece) {
    await nextTurn()
    await send(content.subarray(at, at + piece))
  }
  upload.end(formEnd)
  const [response] = await answered
  const { id, content_type, sha256: told } = JSON.parse(Buffer.concat(await response.toArray()).toString())
  assert.deepEqual([content_type, told], ['application/pdf', sha256(content)])
  const { headers } = await api.get(`/media/${id}`)
  assert.equal(headers.get('content-length'), String(content.length))
  assert.equal(sha256(await fetchSlowly(id)), sha256(content))
})

/** Reads with a pause, so that chunks wait in the server. */
async function fetchSlowly(id: string): Promise<Buffer> {
  const download = request(`${url}/media/${id}`, { headers: { authorization }, agent: false }).end()
  const [response] = await once(download, 'response')
  const pieces: Buffer[] = []
  for await (const one of response) {
    pieces.push(one)
    for (let turn = 0; turn < 3; turn++) await nextTurn()
  }
  return Buffer.concat(pieces)
}

test('a slow client receives a large file unchanged', async () => {
  const content = randomBytes(30_000_000)
  const { id } = await makeUpload(api, { content })
  assert.equal(sha256(await fetchSlowly(id)), sha256(content))
})
