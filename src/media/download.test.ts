import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { nobody } from '../../test/cast.ts'
import { assertBrief } from '../../test/client.ts'
import { listHostileFiles } from '../../test/corpus/hostile-files.ts'
import { startServer } from '../../test/server.ts'
import { makePicture, makeUpload } from '../../test/upload.ts'

const server = await startServer({ delivers: false })
const { api, outsider, url, acme } = server
after(() => server.close())

const digits = '0123456789'
const file = await makeUpload(api, { content: digits })
const path = `/media/${file.id}`
const ask = (headers: Record<string, string>) => api.get(path, { headers })

test('spec 4.2 GET media, spec 6.6.3 REST: a download has the bytes, their length, and headers that prevent a browser from running them', async () => {
  const { status, text, headers } = await api.get(path)
  assert.deepEqual([status, text], [200, digits])
  const expected = {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': '10',
    'content-disposition': 'attachment; filename=a.txt',
    etag: `"${file.sha256}"`,
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-cache',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
    'cross-origin-resource-policy': 'same-origin',
  }
  for (const [name, value] of Object.entries(expected)) assert.equal(headers.get(name), value, name)
})

test('HEAD has the headers of GET and no body', async () => {
  const { status, text, headers } = await api.request('HEAD', path)
  assert.deepEqual([status, text, headers.get('content-length')], [200, '', '10'])
})

test('a range is answered with 206 and that part', async () => {
  const parts: [string, string, string][] = [
    ['bytes=0-3', '0123', 'bytes 0-3/10'],
    ['bytes=7-', '789', 'bytes 7-9/10'],
    ['bytes=-2', '89', 'bytes 8-9/10'],
    ['bytes=-11', digits, 'bytes 0-9/10'],
    [`bytes=-${'9'.repeat(400)}`, digits, 'bytes 0-9/10'],
    ['bytes=0-1, -20', digits, 'bytes 0-9/10'],
    ['bytes=8-100', '89', 'bytes 8-9/10'],
  ]
  for (const [range, part, told] of parts) {
    const { status, text, headers } = await ask({ range })
    assert.deepEqual([status, text, headers.get('content-range')], [206, part, told])
    assert.equal(headers.get('content-length'), String(part.length))
  }
})

test('a range beyond the end, or the last zero bytes, is answered with 416 and the length', async () => {
  for (const range of ['bytes=10-12', 'bytes=-0']) {
    const answer = await ask({ range })
    assertBrief(answer, 416, 'Range Not Satisfiable')
    assert.equal(answer.headers.get('content-range'), 'bytes */10')
  }
})

test('several ranges, another unit or an invalid range are answered with the whole file', async () => {
  for (const range of ['bytes=0-1,4-5', 'lines=1-2', 'bytes=a-b', 'nonsense']) {
    const { status, text } = await ask({ range })
    assert.deepEqual([status, text], [200, digits], range)
  }
})

test('If-Range uses the range only if it has the current ETag', async () => {
  const range = 'bytes=0-3'
  assert.equal((await ask({ range, 'if-range': `"${file.sha256}"` })).status, 206)
  for (const condition of ['"other"', `W/"${file.sha256}"`, 'Wed, 21 Oct 2015 07:28:00 GMT']) {
    assert.equal((await ask({ range, 'if-range': condition })).status, 200, condition)
  }
})

test('If-None-Match with the current ETag is answered with 304 without a body', async () => {
  for (const known of [`"${file.sha256}"`, `W/"${file.sha256}"`, `"other", "${file.sha256}"`, '*']) {
    const { status, text, headers } = await ask({ 'if-none-match': known })
    assert.deepEqual([status, text, headers.get('etag')], [304, '', `"${file.sha256}"`], known)
  }
  assert.equal((await ask({ 'if-none-match': '"other"' })).status, 200)
})

test('an unknown file, a malformed id and a missing thumbnail answer 404 in the brief form', async () => {
  for (const one of [nobody, 'nothing', file.id.toUpperCase(), '..%2f..%2fsecret.key']) {
    for (const rest of ['', '/info', '/thumb']) {
      assertBrief(await api.get(`/media/${one}${rest}`), 404, 'File not found')
    }
  }
  assertBrief(await api.get(`${path}/thumb`), 404, 'File not found')
})

test("Rival cannot read Acme's file", async () => {
  const picture = await makePicture(api)
  for (const rest of ['', '/info', '/thumb']) {
    const answer = await outsider.get(`/media/${picture.id}${rest}`)
    assertBrief(answer, 404, 'File not found')
    assert.equal(answer.headers.get('etag'), null)
  }
})

test('an aborted download does not harm the server', async () => {
  const large = await makeUpload(api, { content: Buffer.alloc(8_000_000) })
  for (let turn = 0; turn < 20; turn++) {
    const stop = new AbortController()
    const headers = { authorization: `Bearer ${acme.key.key}` }
    const { body } = await fetch(`${url}/media/${large.id}`, { headers, signal: stop.signal })
    await body!.getReader().read()
    stop.abort()
  }
  assert.equal((await api.get(path)).text, digits)
})

for (const [filename, content] of Object.entries(listHostileFiles('alert(1)'))) {
  test(`${filename} is never sent as a type that a browser runs`, async () => {
    const { id } = await makeUpload(api, { filename, content, type: 'text/html' })
    for (const query of ['', '?inline=1', '?inline=true']) {
      const { headers } = await api.get(`/media/${id}${query}`)
      const type = headers.get('content-type')!
      assert.doesNotMatch(type, /html|xml|svg|script|flash|xsl|manifest|message/i)
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      assert.equal(headers.get('content-security-policy'), "sandbox; default-src 'none'")
      const mayShow = /^(?:image\/(?!tiff)|audio\/|video\/)|^application\/pdf$/.test(type) && query !== ''
      assert.match(headers.get('content-disposition')!, mayShow ? /^inline;/ : /^attachment;/)
    }
  })
}

test('images, audio, video and PDF files are displayed inline on request', async () => {
  const picture = await makePicture(api)
  const disposition = async (query: string) =>
    (await api.get(`/media/${picture.id}${query}`)).headers.get('content-disposition')
  assert.equal(await disposition(''), 'attachment; filename=a.png')
  assert.equal(await disposition('?inline=1'), 'inline; filename=a.png')
  assert.equal(await disposition('?inline=0'), 'attachment; filename=a.png')
})
