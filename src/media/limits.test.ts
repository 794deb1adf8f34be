import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync, readlinkSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { assertEnvelope } from '../../test/client.ts'
import { startServer } from '../../test/server.ts'
import { until } from '../../test/until.ts'
import { formEnd, formOf, formType, headOf, uploadBytes } from '../../test/upload.ts'
import { maxFileBytes } from './limits.ts'
import { createStorages } from './storages.ts'
import { deleteDueStrayObjects } from './stray-objects.ts'

const server = await startServer({ delivers: false })
const { api, db, config, url, acme } = server
after(() => server.close())

const folder = join(config.dataDir, 'files')
const send = (size: number, options: Parameters<typeof uploadBytes>[3] = {}) =>
  uploadBytes(url, acme.key.key, size, options)

/** Objects and drafts on the disk, and open files of the folder. */
const listObjects = (): string[] =>
  readdirSync(folder, { recursive: true })
    .map(String)
    .filter(path => path.split('/').at(-1)!.length >= 32)

const listOpen = (): string[] =>
  readdirSync('/proc/self/fd').flatMap(fd => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`)
      return path.startsWith(folder) ? [path] : []
    } catch {
      return []
    }
  })

const countRows = async (): Promise<number> => (await db`select from media`).length

async function untilClean(objects: number): Promise<void> {
  // The server may still be reading or removing an upload that was aborted.
  await until(async () => {
    const stray = await db`select from stray_objects`
    return stray.length === 0 && listOpen().length === 0 && listObjects().length === objects
  })
  assert.equal(await countRows(), objects)
}

for (const isChunked of [false, true]) {
  const encoding = isChunked ? 'without a Content-Length' : 'with a Content-Length'

  test(`spec 8 file size: accepts exactly 200 MB ${encoding}`, async () => {
    const { status, body } = await send(maxFileBytes, { isChunked })
    assert.deepEqual([status, body.size], [201, 209_715_200])
    await db`delete from media`
    await deleteDueStrayObjects(db, createStorages(server), server.log)
    await untilClean(0)
  })

  test(`spec 4.2 media upload 413, spec 7.1 413 MEDIA_TOO_LARGE, spec 8 file size: one byte more is answered with 413 ${encoding} and leaves nothing behind`, async () => {
    const answer = await send(maxFileBytes + 1, { isChunked })
    assertEnvelope(answer, 413, 'MEDIA_TOO_LARGE', { max_bytes: 209_715_200 })
    await untilClean(0)
  })
}

test('refuses a body with too large a Content-Length before it is sent', async () => {
  const { status, body, isCut } = await send(maxFileBytes * 3)
  assert.deepEqual([status, body.error_code, isCut], [413, 'MEDIA_TOO_LARGE', true])
  await untilClean(0)
})

test('counts a large part other than the file too', async () => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  const head = headOf({ name: 'other' })
  socket.write(`POST /api/v1/media/upload HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${acme.key.key}\r\n`)
  socket.write(`content-type: ${formType['content-type']}\r\ntransfer-encoding: chunked\r\n\r\n`)
  socket.write(`${head.length.toString(16)}\r\n${head}\r\n`)
  const block = Buffer.alloc(1024 * 1024, 'x')
  let answer = ''
  socket
    .on('error', () => {})
    .on('data', chunk => {
      answer += chunk
    })
  socket.setMaxListeners(1_000)
  for (let sent = 0; sent < 220 && !answer; sent++) {
    socket.write(`${block.length.toString(16)}\r\n`)
    socket.write(block)
    if (!socket.write('\r\n')) await Promise.race([once(socket, 'drain'), once(socket, 'data')])
  }
  await until(() => answer.includes('MEDIA_TOO_LARGE'))
  assert.match(answer, /^HTTP\/1\.1 413 /)
  socket.destroy()
})

test('a client that reads only after it has sent everything gets the 413', async () => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  const size = maxFileBytes + 20 * 1024 * 1024
  socket.pause()
  socket.write(
    `POST /api/v1/media/upload HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${acme.key.key}\r\n` +
      `content-type: ${formType['content-type']}\r\ncontent-length: ${size}\r\n\r\n`,
  )
  const block = Buffer.alloc(1024 * 1024, 'x')
  for (let sent = 0; sent < size; sent += block.length) {
    if (!socket.write(block.subarray(0, size - sent))) await once(socket, 'drain')
  }
  const chunks = await socket.toArray()
  assert.match(Buffer.concat(chunks).toString(), /^HTTP\/1\.1 413 .*"MEDIA_TOO_LARGE"/s)
})

/** Sends the beginning of a form and then aborts the connection. */
async function abort(form: Buffer, at: number, said: number): Promise<void> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => {})
  socket.write(
    `POST /api/v1/media/upload HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${acme.key.key}\r\n` +
      `content-type: ${formType['content-type']}\r\ncontent-length: ${said}\r\n\r\n`,
  )
  await new Promise(done => socket.write(form.subarray(0, at), done))
  socket.resetAndDestroy()
  await once(socket, 'close')
}

test('uploads aborted at any point leave no row, no object, no draft and no open file', async context => {
  const form = formOf({ filename: 'a.bin', content: Buffer.alloc(300_000, 'x') })
  const seed = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 1e9))
  context.diagnostic(`FUZZ_SEED=${seed}`)
  let state = seed
  const next = (below: number): number => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
  for (let round = 0; round < 125; round++) {
    await Promise.all(Array.from({ length: 8 }, () => abort(form, next(form.length - 1), form.length)))
  }
  await untilClean(0)
})

test('a body shorter than its Content-Length leaves nothing behind', async () => {
  const form = formOf({ content: 'x'.repeat(1_000) })
  await abort(form, form.length - formEnd.length, form.length)
  await untilClean(0)
  assert.equal((await api.get('/tickets')).status, 200)
})
