import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, rmdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { freePort } from '../free-port.ts'
import { needs } from '../needs.ts'
import { until } from '../until.ts'
import {
  firstAccessOf,
  keyOf,
  makeDataDir,
  makeFolder,
  readFirstAccess,
  run,
  spawnServer,
  startServer,
  stopServer,
  untilReady,
} from './program.ts'

/** The curl command that a first start prints, as a fetch request. */
function readCurl(printed: string): { url: string; init: RequestInit } {
  const [, url, first, second, body] =
    /curl -X POST (\S+) \\\n\s+-H '(.*)' \\\n\s+-H '(.*)' \\\n\s+-d '(.*)'/.exec(printed) ?? []
  const headers = [first, second].map(header => header!.split(': ') as [string, string])
  return { url: url!, init: { method: 'POST', headers, body: body! } }
}

/** Creates the first owner with the link that a first start prints. */
async function openLink(printed: string): Promise<Response> {
  const [, base, token] = /(http\S+)\/link\/(\S+)/.exec(printed) ?? []
  return fetch(`${base}/api/dashboard/links/${token}`, {
    method: 'POST',
    headers: { origin: base!, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Olga', email: 'olga@example.com', password: 'correct horse battery' }),
  })
}

test('writes the set-up link, the key and a working curl command to an owner-only file at the first start only', async context => {
  const DATA_DIR = makeFolder(context)
  const first = await startServer(context, { DATA_DIR })
  assert.equal(statSync(firstAccessOf(first)).mode & 0o777, 0o600)
  const words = readFirstAccess(first)
  const { url, init } = readCurl(words)
  assert.equal((await fetch(url, init)).status, 201)
  assert.equal((await openLink(words)).status, 200)
  assert.equal((await stopServer(first)).status, 0)
  const second = await startServer(context, { DATA_DIR })
  assert.equal(second.stdout, `Deskbell is ready at ${second.url}\n`)
  const again = url.replace(/http:\/\/[^/]+/, second.url)
  assert.equal((await fetch(again, init)).status, 201)
  assert.equal((await stopServer(second)).status, 0)
})

test(
  'prints the set-up link and the key at the first start on a terminal',
  needs('script'),
  async context => {
    const DATA_DIR = makeFolder(context)
    const command = `'${process.execPath}' src/main.ts`
    const server = run('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
      DATA_DIR,
      LOG_LEVEL: 'info',
    })
    context.after(() => void server.child.kill('SIGKILL'))
    await untilReady(server)
    // A terminal passes the words on in several parts.
    await until(() => server.stdout.includes('Explore and try the whole API'))
    const words = server.stdout.replaceAll('\r\n', '\n')
    assert.doesNotMatch(words, /^\{/m)
    assert.match(words, /^\d\d:\d\d:\d\d {2}The database is set up$/m)
    const { url, init } = readCurl(words)
    assert.equal((await fetch(url, init)).status, 201)
    assert.equal((await openLink(words)).status, 200)
    assert.equal(existsSync(join(DATA_DIR, 'first-access.txt')), false)
    await stopServer(server)
  },
)

test('creates no project, and says so, if a first start cannot write that file', async context => {
  const DATA_DIR = makeDataDir(context)
  mkdirSync(join(DATA_DIR, 'first-access.txt'))
  const { status, stderr } = await spawnServer(context, { DATA_DIR }).ended
  assert.equal(status, 1)
  assert.match(stderr, /^DATA_DIR: cannot write .*first-access\.txt \(\w+\).*make the folder writable/)
  rmdirSync(join(DATA_DIR, 'first-access.txt'))
  const next = await startServer(context, { DATA_DIR })
  assert.match(keyOf(next), /^sk_/)
  await stopServer(next)
})

test('starts normally after kill -9 in the middle of the first start', async context => {
  const DATA_DIR = makeFolder(context)
  const port = await freePort()
  const server = spawnServer(context, { DATA_DIR, PORT: String(port) })
  // On a busy machine, the folder may have its final name by now.
  await until(() => readdirSync(DATA_DIR).some(name => /^postgres(\.new-|$)/.test(name)))
  await stopServer(server, 'SIGKILL')
  const next = await startServer(context, { DATA_DIR })
  await stopServer(next)
  assert.deepEqual(readdirSync(DATA_DIR).sort(), [
    'first-access.txt',
    'postgres',
    'postgres.log',
    'processes',
    'secret.key',
  ])
})
