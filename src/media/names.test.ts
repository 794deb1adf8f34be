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

/** The `filename` field, because no header of a part can carry all of these. */
const uploadNamed = (name: string) =>
  upload(api, [{ content: 'x' }, { name: 'filename', filename: null, content: name }])

const names: [string, string][] = [
  ['../../etc/passwd', 'passwd'],
  ['..\\..\\windows\\win.ini', 'win.ini'],
  ['/etc/shadow', 'shadow'],
  ['..', 'file'],
  ['.htaccess', 'htaccess'],
  ['a\r\nSet-Cookie: x=1', 'a__Set-Cookie_ x=1'],
  ['invoice\u202efdp.exe', 'invoice_fdp.exe'],
  ['say "hi".txt', 'say _hi_.txt'],
  ['Angebot für Ümit €.pdf', 'Angebot für Ümit €.pdf'],
  ['🦓.png', '🦓.png'],
  ['%2e%2e%2fx', '%2e%2e%2fx'],
  ['CON<>|?*.txt', 'CON_____.txt'],
  [`${'a'.repeat(4_092)}.txt`, `${'a'.repeat(146)}.txt`],
]

for (const [name, saved] of names) {
  test(`the name ${JSON.stringify(name.slice(0, 40))} is returned as it was sent, and is safe in the header`, async () => {
    const { status, body } = await uploadNamed(name)
    assert.deepEqual([status, body.filename], [201, name])
    const header = (await api.get(`/media/${body.id}`)).headers.get('content-disposition')!
    assert.equal(parse(header).parameters.filename, saved)
  })
}

test('a name with NUL, and one of more than 4,096 characters, is refused; the answer repeats a short one', async () => {
  const withNul = await uploadNamed('a\0.txt')
  assertProblems(withNul, 'body.filename:value_error')
  assert.equal(withNul.body.detail[0].input, 'a\0.txt')
  const long = await uploadNamed('a'.repeat(4_097))
  assertProblems(long, 'body.filename:string_too_long')
  assert.equal(long.body.detail[0].input, null)
  assertProblems(await uploadNamed('ü'.repeat(20_000)), 'body.filename:string_too_long')
})

test('the name of the part itself is kept with its path and its language', async () => {
  for (const name of ['../../ü €.txt', 'C:\\x\\y.txt', 'a;b="c".txt']) {
    assert.equal((await makeUpload(api, { filename: name })).filename.replaceAll('%22', '"'), name)
  }
})

test('no name reaches the disk', () => {
  const found = readdirSync(join(config.dataDir, 'files'), { recursive: true }).map(String)
  assert.ok(found.length > 10)
  assert.deepEqual(
    found.filter(path => !/^(?:incoming|[0-9a-f]{2}(?:\/[0-9a-f]{32})?)$/.test(path)),
    [],
  )
})

test('any name makes one valid header that leads out of no folder', () => {
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
