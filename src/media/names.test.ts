import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { parse } from 'content-disposition'
import fc from 'fast-check'
import { assertProblems } from '../../test/client.ts'
import { startServer } from '../../test/server.ts'
import { makeUpload, upload } from '../../test/upload.ts'
import { dispositionOf, safeName } from './names.ts'

const server = await startServer({ delivers: false })
const { api, config } = server
after(() => server.close())

/** Uses the `filename` field, because no part header can carry all of these names. */
const uploadNamed = (name: string) =>
  upload(api, [{ content: 'x' }, { name: 'filename', filename: null, content: name }])

/** The name as it is sent, as it is stored, and as it is saved. */
const names: [string, string, string][] = [
  ['../../etc/passwd', 'passwd', 'passwd'],
  ['..\\..\\windows\\win.ini', 'win.ini', 'win.ini'],
  ['/etc/shadow', 'shadow', 'shadow'],
  ['..', 'file', 'file'],
  ['\u200b', 'file', 'file'],
  ['.htaccess', '.htaccess', 'htaccess'],
  ['a\r\nSet-Cookie: x=1', 'a__Set-Cookie: x=1', 'a__Set-Cookie_ x=1'],
  ['invoice\u202efdp.exe', 'invoice_fdp.exe', 'invoice_fdp.exe'],
  ['say "hi".txt', 'say "hi".txt', 'say _hi_.txt'],
  ['Angebot für Ümit €.pdf', 'Angebot für Ümit €.pdf', 'Angebot für Ümit €.pdf'],
  ['🦓.png', '🦓.png', '🦓.png'],
  ['%2e%2e%2fx', '%2e%2e%2fx', '%2e%2e%2fx'],
  ['CON<>|?*.txt', 'CON<>|?*.txt', 'CON_____.txt'],
  [`${'a'.repeat(4_092)}.txt`, `${'a'.repeat(251)}.txt`, `${'a'.repeat(146)}.txt`],
  [`${'长'.repeat(120)}.png`, `${'长'.repeat(83)}.png`, `${'长'.repeat(83)}.png`],
]

for (const [name, kept, saved] of names) {
  test(`the file ${JSON.stringify(name.slice(0, 40))} is named ${JSON.stringify(kept.slice(0, 40))}, with a safe header`, async () => {
    const { status, body } = await uploadNamed(name)
    assert.deepEqual([status, body.filename], [201, kept])
    const header = (await api.get(`/media/${body.id}`)).headers.get('content-disposition')!
    assert.equal(parse(header).parameters.filename, saved)
  })
}

test('refuses a name with NUL or more than 4,096 characters, and repeats a short one in the error', async () => {
  const withNul = await uploadNamed('a\0.txt')
  assertProblems(withNul, 'body.filename:value_error')
  assert.equal(withNul.body.detail[0].input, 'a\0.txt')
  const long = await uploadNamed('a'.repeat(4_097))
  assertProblems(long, 'body.filename:string_too_long')
  assert.equal(long.body.detail[0].input, null)
  assertProblems(await uploadNamed('ü'.repeat(20_000)), 'body.filename:string_too_long')
})

test('keeps the last part of the file name of a part, including other scripts and quotation marks', async () => {
  for (const [name, kept] of [
    ['../../ü €.txt', 'ü €.txt'],
    ['C:\\fakepath\\y.txt', 'y.txt'],
    ['a;b=%22c%22.txt', 'a;b="c".txt'],
    ['100%25.txt', '100%25.txt'],
  ] as const) {
    assert.equal((await makeUpload(api, { filename: name })).filename, kept)
  }
})

test('image types that most browsers do not display are stored as files', async () => {
  const heic = Buffer.concat([Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic'), Buffer.alloc(300)])
  const tiff = Buffer.concat([Buffer.from('II*\0\x08\0\0\0'), Buffer.alloc(300)])
  for (const [filename, content, type] of [
    ['a.heic', heic, 'image/heic'],
    ['a.tiff', tiff, 'image/tiff'],
  ] as const) {
    const { id, kind, content_type } = await makeUpload(api, { filename, content })
    assert.deepEqual([kind, content_type], ['file', type])
    const { headers } = await api.get(`/media/${id}?inline=1`)
    assert.match(headers.get('content-disposition')!, /^attachment/)
  }
})

test('no file name is used on the disk', () => {
  const found = readdirSync(join(config.dataDir, 'files'), { recursive: true }).map(String)
  assert.ok(found.length > 10)
  assert.deepEqual(
    found.filter(path => !/^(?:incoming|[0-9a-f]{2}(?:\/[0-9a-f]{32})?)$/.test(path)),
    [],
  )
})

test('any name produces one valid header, with a name that cannot leave its folder', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), name => {
      const header = dispositionOf(name, false)
      assert.match(header, /^[\x20-\x7e\xa0-\xff]+$/)
      const saved = parse(header).parameters.filename!
      assert.doesNotMatch(saved, /[/\\\p{Cc}]|^\.|^$/u)
      assert.ok([...safeName(name)].length <= 150)
    }),
    { numRuns: 2_000 },
  )
})
