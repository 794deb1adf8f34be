import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { packageAddress } from '../../web/dashboard/widget/code.ts'
import { printTarball } from '../../web/widget/tarball.ts'
import { sendRaw } from '../client.ts'
import { startServer } from '../server.ts'
import { makeFolder } from './program.ts'

const run = promisify(execFile)
const server = await startServer({ delivers: false })
after(() => server.close())

const address = packageAddress({ script_url: `${new URL(server.url).origin}/widget.js` })

test('npm installs the package from the server, with types and its license', async context => {
  const folder = makeFolder(context)
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}')
  const quiet = ['--no-audit', '--no-fund', '--ignore-scripts']
  await run('npm', ['install', ...quiet, address], { cwd: folder })
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  assert.deepEqual(dependencies, { '@deskbell/widget': address })
  const files = globSync('**', { cwd: join(folder, 'node_modules/@deskbell/widget') }).sort()
  assert.deepEqual(files, ['.', 'LICENSE', 'README.md', 'index.d.ts', 'index.js', 'package.json'])
  const program = "import { boot, on } from '@deskbell/widget'; console.log(typeof boot, typeof on)"
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], { cwd: folder })
  assert.equal(stdout, 'function function\n')
})

test('the bytes of the package depend only on its files, because lock files contain their hash', () => {
  const [one, other] = [Buffer.from('one'), Buffer.from('other')]
  const packed = printTarball({ a: one, b: other })
  assert.deepEqual(packed, printTarball({ b: other, a: one }))
  assert.deepEqual([...packed.subarray(0, 10)], [31, 139, 8, 0, 0, 0, 0, 0, packed[8], 255])
})

test('the package is revalidated on each request, and not sent again', async () => {
  const { headers } = await fetch(address)
  assert.deepEqual(
    [headers.get('content-type'), headers.get('cache-control')],
    ['application/gzip', 'no-cache'],
  )
  const again = await sendRaw(
    server.url,
    `GET /widget/package.tgz HTTP/1.1\r\nHost: x\r\nConnection: close\r\nIf-None-Match: ${headers.get('etag')}\r\n\r\n`,
  )
  assert.equal(again.status, 304)
})

test('no text tells people to install the package from the npm registry', () => {
  const texts = ['docs/*.md', 'README.md', 'web/dashboard/**/*.ts', 'web/widget/package/*'].flatMap(pattern =>
    globSync(pattern),
  )
  const wrong = texts.filter(path => /npm (install|i|add) @deskbell/.test(readFileSync(path, 'utf8')))
  assert.deepEqual(wrong, [])
})
