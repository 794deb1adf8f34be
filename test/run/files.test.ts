import assert from 'node:assert/strict'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { createClient } from '../client.ts'
import { s3Options, startS3 } from '../s3.ts'
import { until } from '../until.ts'
import { formType, headOf, makeUpload } from '../upload.ts'
import {
  deskbell,
  keyOf,
  makeDataDir,
  makeFolder,
  type Program,
  spawnDeskbell,
  spawnServer,
  startServer,
  stopServer,
} from './program.ts'

const listFiles = (dataDir: string): string[] =>
  (existsSync(join(dataDir, 'files')) ? readdirSync(join(dataDir, 'files'), { recursive: true }) : [])
    .map(path => String(path))
    .filter(path => path.split('/').at(-1)!.length >= 32)

/** Starts an upload that never completes. */
async function beginUpload(program: Program, dataDir: string) {
  const upload = request(`${program.url}/api/v1/media/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keyOf(program)}`, ...formType, 'content-length': 50_000_000 },
  })
  const ended = new Promise<void>(resolve => upload.on('error', () => resolve()))
  upload.write(headOf({}) + 'x'.repeat(1_000_000))
  await until(() => listFiles(dataDir).some(path => path.startsWith('incoming/')))
  return { upload, ended }
}

test('keeps no partial file after kill -9 in the middle of an upload', async context => {
  const DATA_DIR = makeDataDir(context)
  const server = await startServer(context, { DATA_DIR })
  const kept = await makeUpload(createClient(`${server.url}/api/v1`, keyOf(server)))
  const { ended } = await beginUpload(server, DATA_DIR)
  await stopServer(server, 'SIGKILL')
  await ended
  const next = await startServer(context, { DATA_DIR })
  const api = createClient(`${next.url}/api/v1`, keyOf(server))
  assert.equal((await api.get(`/media/${kept.id}`)).text, 'Hello')
  const whole = listFiles(DATA_DIR).filter(path => !path.startsWith('incoming/'))
  assert.equal(whole.length, 1)
  await stopServer(next)
})

test('a stop during an upload ends it within seconds, and keeps nothing of it', async context => {
  const DATA_DIR = makeDataDir(context)
  const server = await startServer(context, { DATA_DIR })
  const { ended } = await beginUpload(server, DATA_DIR)
  const { status } = await stopServer(server)
  await ended
  assert.equal(status, 0)
  assert.deepEqual(listFiles(DATA_DIR), [])
})

const bucketWords = (id: string, endpoint: string, secretFile: string): string[] => [
  ...['project', 'bucket', id, '--endpoint', endpoint, '--bucket', 'ours', '--region', 'us-east-1'],
  ...['--access-key-id', 'tester', '--secret-access-key-file', secretFile],
]

test("reads a bucket's secret from a file or standard input, and rejects an endpoint with credentials", async context => {
  const DATA_DIR = makeDataDir(context)
  const empty = join(DATA_DIR, 'empty')
  writeFileSync(empty, '\n')
  const refused: [string, string, RegExp][] = [
    [
      'http://user:word@127.0.0.1:1',
      empty,
      /^--endpoint must not contain a user, password, query or fragment/,
    ],
    [
      'http://127.0.0.1:1/?key=secret',
      empty,
      /^--endpoint must not contain a user, password, query or fragment/,
    ],
    ['http://127.0.0.1:1', empty, /^--secret-access-key-file: .*empty is empty/],
    ['http://127.0.0.1:1', join(DATA_DIR, 'none'), /^--secret-access-key-file: cannot read .*ENOENT/],
    ['http://127.0.0.1:1', '-', /^--secret-access-key-file: - is empty/],
  ]
  for (const [endpoint, file, message] of refused) {
    // A spawned process has an empty standard input.
    const call = file === '-' ? spawnDeskbell : deskbell
    const { status, stderr } = await call({ DATA_DIR }, ...bucketWords('an-id', endpoint, file))
    assert.deepEqual([status, message.test(stderr.split('\n').at(-2)!)], [2, true], stderr)
  }
})

test(
  "sets, shows and removes a project's bucket by command line without showing its secret",
  s3Options,
  async context => {
    const s3 = await startS3()
    context.after(() => s3.stop())
    const DATA_DIR = makeDataDir(context)
    const server = await startServer(context, { DATA_DIR })
    const { stdout } = await deskbell({ DATA_DIR }, 'project', 'list', '--json')
    const [{ id }] = JSON.parse(stdout).items
    const place = s3.makeBucket('ours')
    const set = (secret: string) => {
      writeFileSync(join(DATA_DIR, 'secret'), `${secret}\n`)
      return deskbell({ DATA_DIR }, ...bucketWords(id, place.endpoint, join(DATA_DIR, 'secret')), '--json')
    }
    const wrong = await set('wrong')
    assert.deepEqual([wrong.status, wrong.stdout], [1, ''])
    assert.match(wrong.stderr, /^The bucket ours at .* cannot be used .*nothing was changed\n$/)
    const right = await set(place.secret_access_key)
    assert.equal(right.status, 0, right.stderr)
    const api = createClient(`${server.url}/api/v1`, keyOf(server))
    const file = await makeUpload(api)
    assert.equal((await api.get(`/media/${file.id}`)).status, 302)
    const shown = await deskbell({ DATA_DIR }, 'project', 'bucket', 'show', id, '--json')
    assert.partialDeepStrictEqual(JSON.parse(shown.stdout).items, [
      { bucket: 'ours', is_active: true, files: 1 },
    ])
    assert.doesNotMatch(right.stdout + shown.stdout, /tester/)
    assert.equal((await deskbell({ DATA_DIR }, 'project', 'bucket', 'remove', id)).status, 0)
    assert.equal((await api.get(`/media/${file.id}`)).status, 302)
    assert.equal((await api.get(`/media/${(await makeUpload(api)).id}`)).status, 200)
    await stopServer(server)
  },
)

test('refuses to start if S3_BUCKET is set without its keys', async context => {
  const { status, stderr } = await spawnServer(context, { DATA_DIR: makeFolder(context), S3_BUCKET: 'x' })
    .ended
  assert.equal(status, 78)
  assert.equal(stderr, 'S3_BUCKET is set; set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY too\n')
})
