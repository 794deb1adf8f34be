import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { pixel } from '../../../test/mail/compose.ts'
import { compose, composeAndRead, headOf, makeFile, makeOutgoing } from '../../../test/mail/outgoing.ts'
import { composeEmail } from './compose-email.ts'

const names = [
  'חשבונית מס 2026.pdf',
  '发票 2026年.pdf',
  'Rechnung für Müller & Söhne.pdf',
  'party 🎉👩🏽‍🚀.png',
  `${'长'.repeat(70)}.pdf`,
  `a; filename="b.exe" 'c' (d) %41*.pdf`,
  'semi;colon, comma=equals.pdf',
]

test('files arrive with their names, types and bytes', async () => {
  const files = names.map((name, at) => makeFile(name, `content ${at}`, { type: 'application/pdf' }))
  const mail = await composeAndRead({ files })
  const safe = names.map(name => name.replaceAll(/["*]/g, '_'))
  assert.deepEqual(
    mail.files.map(file => file.filename),
    safe,
  )
  for (const [at, file] of mail.files.entries()) {
    assert.equal(String(readFileSync(file.path)), `content ${at}`)
    assert.deepEqual([file.contentType, file.isInline], ['application/pdf', false])
  }
})

test('a file name with line breaks or a path adds no header', async () => {
  const evil = ['a.pdf\r\nX-Evil: 1', '../../etc/passwd', 'a\0b.pdf', 'x\r\n\r\n<script>']
  const raw = await compose({ files: evil.map(name => makeFile(name, 'x')) })
  assert.ok(!/^X-Evil/m.test(raw.toString('latin1')))
  const { files } = await composeAndRead({ files: evil.map(name => makeFile(name, 'x')) })
  assert.deepEqual(
    files.map(file => file.filename),
    ['a.pdf X-Evil_ 1', '.._.._etc_passwd', 'a b.pdf', 'x _script_'].map(name => name.replace(/^\.+/, '')),
  )
})

test('attached emails and files with an invalid type arrive byte by byte', async () => {
  const inner = `Subject: x\n\n${'y'.repeat(2_000)}\r\n--a\0\xff`
  const types = ['message/rfc822', 'multipart/mixed; boundary=a', 'text/html\r\nX-Evil: 1', '']
  const { files } = await composeAndRead({
    files: types.map((type, at) => makeFile(`${at}.eml`, Buffer.from(inner, 'latin1'), { type })),
  })
  assert.equal(files.length, types.length)
  for (const file of files) assert.equal(readFileSync(file.path, 'latin1'), inner)
})

const image = (name: string, contentId: string | null) =>
  makeFile(name, Buffer.from(pixel, 'base64'), { type: 'image/png', contentId })

test('images that the HTML shows arrive in their places, and others as files', async () => {
  const id = '0190b1de-0000-7000-8000-000000000001'
  const mail = await composeAndRead({
    content: {
      text: 'See',
      html: `<p>See <img src="/api/v1/media/${id}" alt="lamp"> and <img alt="two" src="cid:b@x"></p>`,
    },
    files: [
      image('one.png', id),
      image('two.png', 'b@x'),
      image('three.png', 'unused'),
      image('four.png', null),
    ],
  })
  assert.deepEqual(mail.files.map(file => [file.filename, file.isInline]).sort(), [
    ['four.png', false],
    ['one.png', true],
    ['three.png', false],
    ['two.png', true],
  ])
  assert.equal(mail.html!.match(/data-file=/g)?.length, 2)
})

test('an image that is no file of the email is replaced by its text, and quoted ones load nothing', async () => {
  const html = '<p><img src="/api/v1/media/gone" alt="a lamp"><img src="https://shop.example/a.png"></p>'
  const history = [{ author: 'Ann', at: new Date(0), language: 'en', text: 'x', html }]
  const sent = String(await compose({ content: { text: 'x', html }, history }))
  assert.equal(sent.match(/a lamp/g)?.length, 2)
  assert.equal(sent.match(/shop\.example/g)?.length, 1)
  assert.ok(!sent.includes('/api/v1/media'))
})

const megabyte = 1024 * 1024

setFlagsFromString('--expose-gc')
const startCollecting: () => void = runInNewContext('gc')

/** Buffers are released in another thread. The second collection waits for those of the first. */
function collectGarbage(): void {
  startCollecting()
  startCollecting()
}

/** Reads an email as SMTP does, and returns the highest memory in MB that buffers took besides garbage. */
async function measure(email: Readable, onChunk: (size: number) => void = () => {}): Promise<number> {
  collectGarbage()
  const before = process.memoryUsage().arrayBuffers
  let highest = before
  let read = 0
  for await (const chunk of email) {
    onChunk(chunk.length)
    read += chunk.length
    if (read < 2 * megabyte) continue
    read = 0
    collectGarbage()
    highest = Math.max(highest, process.memoryUsage().arrayBuffers)
  }
  return (highest - before) / megabyte
}

function makeLarge(onRead: (size: number) => void = () => {}) {
  const hash = createHash('sha256')
  const open = async () =>
    Readable.from(
      (function* () {
        for (let at = 0; at < 25 * 16; at++) {
          const chunk = Buffer.alloc(64 * 1024, `${at} `)
          hash.update(chunk)
          onRead(chunk.length)
          yield chunk
        }
      })(),
      { objectMode: false },
    )
  return { file: { ...makeFile('large.bin', ''), size: 25 * megabyte, open }, hash }
}

test('a file of 25 MB is read at the speed of the connection', async () => {
  let ahead = 0
  let furthest = 0
  const { file } = makeLarge(size => {
    ahead += size
    furthest = Math.max(furthest, ahead)
  })
  const email = await composeEmail(makeOutgoing({ files: [file] }))
  const grown = await measure(email, size => {
    ahead -= (size * 57) / 78
  })
  assert.ok(furthest < megabyte, `${furthest} bytes were read ahead`)
  assert.ok(grown < 12, `${grown} MB`)
})

test('signing an email with a file of 25 MB keeps none of it in memory', async () => {
  const { generateKeyPairSync } = await import('node:crypto')
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 })
  const pem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const { file } = makeLarge()
  const dkim = { domain: 'acme.example', selector: 's1', privateKey: pem }
  const grown = await measure(await composeEmail(makeOutgoing({ files: [file], dkim })))
  assert.ok(grown < 12, `${grown} MB`)
})

test('a file of 25 MB arrives byte by byte', async () => {
  const { file, hash } = makeLarge()
  const mail = await composeAndRead({ files: [file] })
  assert.deepEqual([mail.files[0]!.size, mail.files[0]!.sha256], [25 * megabyte, hash.digest('hex')])
})

test('the second file is opened only after the first was read', async () => {
  const opened: string[] = []
  const files = ['one', 'two'].map(name => ({
    ...makeFile(name, name),
    open: async () => {
      opened.push(name)
      return Readable.from([Buffer.from(name)]).once('end', () => opened.push(`end of ${name}`))
    },
  }))
  await compose({ files })
  assert.deepEqual(opened, ['one', 'end of one', 'two', 'end of two'])
})

for (const dkim of [false, true]) {
  test(`a file that cannot be read is an error of the stream${dkim ? ', also of a signed email' : ''}`, async () => {
    const { generateKeyPairSync } = await import('node:crypto')
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 })
    const pem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
    const missing = { ...makeFile('gone.pdf', ''), open: () => Promise.reject(new Error('gone')) }
    const key = dkim ? { domain: 'acme.example', selector: 's1', privateKey: pem } : null
    await assert.rejects(compose({ files: [missing], dkim: key }), /gone/)
  })
}

test('a reader that stops closes the file that is being read', async () => {
  let isClosed = false
  const { file } = makeLarge()
  const open = async () =>
    (await file.open()).once('close', () => {
      isClosed = true
    })
  const email = await composeEmail(makeOutgoing({ files: [{ ...file, open }] }))
  let read = 0
  for await (const chunk of email) {
    read += chunk.length
    if (read > megabyte) break
  }
  await new Promise(resolve => setImmediate(() => setImmediate(resolve)))
  assert.ok(isClosed)
})

test('the header of an email with files is ASCII', async () => {
  const raw = await compose({ files: names.map(name => makeFile(name, 'x')) })
  assert.match(headOf(raw), /^[\0-\x7f]*$/)
  assert.match(raw.toString('latin1'), /^[\0-\x7f]*$/)
})
