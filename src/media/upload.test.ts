import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, test } from 'node:test'
import { makeMessage, makeTicket, unique } from '../../test/cast.ts'
import { assertEnvelope, assertProblems } from '../../test/client.ts'
import { startServer } from '../../test/server.ts'
import { until } from '../../test/until.ts'
import { boundary, formEnd, formOf, headOf, makePicture, makeUpload, png, upload } from '../../test/upload.ts'

const server = await startServer({ delivers: false })
const { api, outsider, db, acme } = server
after(() => server.close())

const countFiles = async (): Promise<number> => {
  const [row] = await db`select count(*)::int as count from media where project_id = ${acme.id}`
  return row!.count
}
const untilNoStrays = () => until(async () => (await db`select from stray_objects`).length === 0)

/** Asserts that a refused upload leaves neither a record nor an object. */
async function refused(act: () => Promise<unknown>): Promise<void> {
  const before = await countFiles()
  await act()
  assert.equal(await countFiles(), before)
  await untilNoStrays()
}

test('spec 4.2 media upload 201: an upload answers 201 with its record, which can be read again', async () => {
  const { status, body } = await upload(api, { filename: 'note.txt', content: 'Hello' })
  assert.equal(status, 201)
  const { id, created_at, expires_at, ...rest } = body
  assert.deepEqual(rest, {
    filename: 'note.txt',
    content_type: 'text/plain',
    size: 5,
    kind: 'file',
    width: null,
    height: null,
    duration: null,
    sha256: createHash('sha256').update('Hello').digest('hex'),
    url: `/api/v1/media/${id}`,
    thumb_url: null,
    message_id: null,
  })
  assert.equal(Date.parse(expires_at) - Date.parse(created_at), 24 * 3_600_000)
  assert.deepEqual((await api.get(`/media/${id}/info`)).body, body)
  await untilNoStrays()
})

test('detects the type from the bytes, whatever the request claims', async () => {
  const bytes: [string, Buffer | string, string, string][] = [
    ['a.png', 'plain words', 'text/plain', 'file'],
    ['a.txt', png(1, 1), 'image/png', 'image'],
    ['a.png', '%PDF-1.7\n', 'application/pdf', 'file'],
    ['a.png', 'fLaC and more', 'audio/flac', 'audio'],
    ['a.png', Buffer.from([1, 0, 2, 0xff]), 'application/octet-stream', 'file'],
  ]
  for (const [filename, content, type, kind] of bytes) {
    const file = await makeUpload(api, { filename, content, type: 'image/jpeg' })
    assert.deepEqual([file.content_type, file.kind], [type, kind], type)
  }
})

test('an image has its size and a thumbnail of at most 320 × 320', async () => {
  const { width, height, thumb_url, id } = await makePicture(api)
  assert.deepEqual([width, height, thumb_url], [800, 600, `/api/v1/media/${id}/thumb`])
  const { status, headers } = await api.get(`/media/${id}/thumb`)
  assert.deepEqual([status, headers.get('content-type')], [200, 'image/webp'])
})

test('a broken image, or one with too many pixels, is stored as a file without size and thumbnail', async () => {
  for (const content of [png(800, 600).subarray(0, 60), png(10_000, 6_000)]) {
    const { content_type, width, height, thumb_url } = await makeUpload(api, { content })
    assert.deepEqual([content_type, width, height, thumb_url], ['image/png', null, null, null])
  }
})

test('audio files are stored without being parsed, and have no duration', async () => {
  const seconds = 2
  const wave = Buffer.alloc(44 + seconds * 8_000)
  wave.write('RIFF\0\0\0\0WAVEfmt ', 0, 'latin1')
  wave.writeUInt32LE(wave.length - 8, 4)
  wave.writeUInt32LE(16, 16)
  wave.set([1, 0, 1, 0], 20)
  wave.writeUInt32LE(8_000, 24)
  wave.writeUInt32LE(8_000, 28)
  wave.set([1, 0, 8, 0], 32)
  wave.write('data', 36)
  wave.writeUInt32LE(seconds * 8_000, 40)
  const { kind, duration } = await makeUpload(api, { content: wave })
  assert.deepEqual([kind, duration], ['audio', null])
})

test('a form without the part `file` is refused with an error that names the part', async () => {
  await refused(async () => {
    assertProblems(await upload(api, []), 'body.file:missing')
    assertProblems(await upload(api, { name: 'picture', content: 'x' }), 'body.file:missing')
    assertProblems(
      await upload(api, { name: 'filename', filename: null, content: 'a.txt' }),
      'body.file:missing',
    )
  })
})

test('refuses a second part `file`, an empty one, and text instead of a file', async () => {
  await refused(async () => {
    assertProblems(await upload(api, [{ content: 'one' }, { content: 'two' }]), 'body.file:too_long')
    assertProblems(await upload(api, { content: '' }), 'body.file:too_short')
    assertProblems(await upload(api, { filename: null, content: 'text' }), 'body.file:value_error')
  })
})

test('refuses another content type and a form without a boundary', async () => {
  await refused(async () => {
    assertProblems(await api.post('/media/upload', { file: 'x' }), 'header.content-type:content_type')
    assertProblems(await api.post('/media/upload'), 'header.content-type:content_type')
    for (const type of ['multipart/form-data', 'multipart/form-data; boundary=', 'multipart/form-data;;']) {
      assertProblems(await upload(api, { content: 'x' }, { 'content-type': type }), 'body:multipart_invalid')
    }
    assertProblems(
      await upload(api, { content: 'x' }, { 'content-type': 'multipart/mixed' }),
      'header.content-type',
    )
  })
})

test('refuses a form that ends before its last boundary', async () => {
  const whole = formOf({ content: 'x'.repeat(1_000) })
  await refused(async () => {
    for (const end of [20, 80, 200, whole.length - formEnd.length, whole.length - 4]) {
      const answer = await api.post('/media/upload', undefined, {
        raw: whole.subarray(0, end),
        headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
      })
      assertProblems(answer, 'body:multipart_invalid')
    }
  })
})

test('other operations refuse a multipart form', async () => {
  const answer = await api.post('/contacts', undefined, {
    raw: formOf({ content: 'x' }),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  })
  assertProblems(answer, 'header.content-type:content_type')
})

test('ignores other parts, and `filename` names the file in any position', async () => {
  const { filename, size } = await makeUploadOf([
    { name: 'note', filename: null, content: 'x' },
    { name: 'other', filename: 'other.txt', content: 'y'.repeat(200_000) },
    { filename: 'sent.txt', content: 'Hello' },
    { name: 'filename', filename: null, content: 'Wünsche.txt' },
  ])
  assert.deepEqual([filename, size], ['Wünsche.txt', 5])
})

async function makeUploadOf(parts: Parameters<typeof upload>[1]) {
  const { status, body, text } = await upload(api, parts)
  assert.equal(status, 201, text)
  return body
}

test('a file without a name is named file', async () => {
  assert.equal((await makeUpload(api, { filename: '' })).filename, 'file')
})

test('repeating an Idempotency-Key creates no second file and keeps no second object', async () => {
  const key = { 'idempotency-key': unique() }
  const first = await upload(api, { content: 'once' }, key)
  const again = await upload(api, { content: 'once' }, key)
  assert.deepEqual([again.status, again.body], [201, first.body])
  assert.equal(again.headers.get('idempotency-replayed'), 'true')
  const [row] = await db`select count(*)::int as count from media where sha256 = ${first.body.sha256}`
  assert.equal(row!.count, 1)
  await untilNoStrays()
})

test('refuses the same Idempotency-Key with other bytes or another name', async () => {
  const key = { 'idempotency-key': unique() }
  await upload(api, { content: 'this' }, key)
  await refused(async () => {
    for (const part of [{ content: 'that' }, { content: 'this', filename: 'b.txt' }]) {
      const answer = await upload(api, part, key)
      assertEnvelope(answer, 422, 'VALIDATION_ERROR', { reason: 'idempotency_key_reused' })
    }
  })
})

test('of many concurrent uploads with one Idempotency-Key, one creates the file', async () => {
  const key = { 'idempotency-key': unique() }
  const answers = await Promise.all(Array.from({ length: 6 }, () => upload(api, { content: 'at once' }, key)))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]))
  assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1)
  await untilNoStrays()
})

test('a file can be attached to one message, which shows it, and is then not deleted', async () => {
  const file = await makePicture(api)
  const { id } = await makeTicket(api)
  const message = await makeMessage(api, id, { media_ids: [file.id] })
  const { sha256, message_id, created_at, expires_at, ...shown } = file
  assert.deepEqual(message.media, [shown])
  const { body } = await api.get(`/media/${file.id}/info`)
  assert.deepEqual([body.message_id, body.expires_at], [message.id, null])
})

test('an error before the body was read is still answered', async () => {
  const raw = Buffer.concat([Buffer.from(headOf({})), Buffer.alloc(3_000_000), Buffer.from(formEnd)])
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` }
  const answer = await server.stranger.post('/media/upload', undefined, { raw, headers })
  assert.equal(answer.status, 401)
})

test("Rival cannot attach Acme's file", async () => {
  const file = await makeUpload(api)
  const { id } = await makeTicket(outsider)
  const answer = await outsider.post(`/tickets/${id}/messages`, { media_ids: [file.id] })
  assertEnvelope(answer, 422, 'VALIDATION_ERROR', { field: 'media_ids', reason: 'not_found', ids: [file.id] })
})
