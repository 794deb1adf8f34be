import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertBrief, assertEnvelope } from '../../../test/client.ts'
import { joinProject } from '../../../test/operator.ts'
import type { TestServer } from '../../../test/server.ts'
import { formOf, formType, png } from '../../../test/upload.ts'
import { ask, begin, type Guest, originOf, startChat, switchOn } from '../../../test/widget.ts'

let server: TestServer
before(async () => {
  server = await startChat()
  await switchOn(server, server.acme)
})
after(() => server.close())

const upload = ({ api }: Guest, content: string | Uint8Array = png(40, 30), filename = 'a.png') =>
  api.post('/files', undefined, { raw: formOf({ content, filename }), headers: formType })

test('once its message is sent, an image has a URL that needs no token', async () => {
  const guest = await begin(server)
  const { status, body: file } = await upload(guest)
  assert.deepEqual([status, file.kind, file.width], [201, 'image', 40])
  const fetchPublic = () => fetch(originOf(server) + file.url)
  assert.equal((await fetchPublic()).status, 404)
  const { id } = await ask(guest, { content: '', media_ids: [file.id] })
  const [message] = (await guest.api.get(`/tickets/${id}/messages`)).body.items
  assert.equal(message.media[0].url, file.url)
  assert.equal((await fetchPublic()).status, 200)
})

test('only the uploader of a file and those who may see its message can read it', async () => {
  const [guest, other] = [await begin(server), await begin(server)]
  const { id: media_id } = (await upload(guest)).body
  const read = ({ api }: Guest) => api.get(`/files/${media_id}`)
  const { status, headers } = await read(guest)
  assert.deepEqual([status, headers.get('content-type')], [200, 'image/png'])
  assert.equal(headers.get('content-security-policy'), "sandbox; default-src 'none'")
  assertBrief(await read(other), 404)
  await ask(guest, { media_ids: [media_id] })
  assert.equal((await read(guest)).status, 200)
  assertBrief(await read(other), 404)
})

test('visitors cannot read a file of an internal note', async () => {
  const guest = await begin(server)
  const { id } = await ask(guest)
  const omar = await joinProject(server, server.acme)
  const form = { raw: formOf({ content: 'SECRET' }), headers: formType }
  const { id: media_id } = (await omar.api.post('/media/upload', undefined, form)).body
  await omar.api.post(`/tickets/${id}/messages`, {
    content: 'Note',
    is_internal: true,
    media_ids: [media_id],
  })
  assertBrief(await guest.api.get(`/files/${media_id}`), 404)
})

test("refuses files above the project's size limit, and all files if the project does not allow files", async context => {
  context.after(() => switchOn(server, server.acme))
  const guest = await begin(server)
  await switchOn(server, server.acme, { max_file_mb: 1 })
  const bytes = 1024 * 1024
  assertEnvelope(await upload(guest, 'x'.repeat(bytes + 1)), 413, 'FILE_TOO_LARGE', { max_bytes: bytes })
  assert.equal((await upload(guest, 'x'.repeat(bytes))).status, 201)
  await switchOn(server, server.acme, { takes_files: false })
  assertEnvelope(await upload(guest), 403, 'FILES_OFF')
})

test('sends files that a browser could run as plain bytes', async () => {
  const guest = await begin(server)
  const { body } = await upload(guest, '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', 'a.svg')
  const { headers } = await guest.api.get(`/files/${body.id}`)
  assert.doesNotMatch(headers.get('content-type')!, /svg|html|xml/)
  assert.match(headers.get('content-disposition')!, /^attachment/)
})
