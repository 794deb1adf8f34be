import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type Entry, startNameServer } from '../../test/name-server.ts'
import { createResolver } from './resolve.ts'

const serve = (t: TestContext, zone: Record<string, Entry | 'silent'>) =>
  startNameServer(t, name => zone[name])

test('localhost and names below it resolve to loopback without a query', async t => {
  const { servers, asked } = await serve(t, {})
  const { resolve } = createResolver({ servers })
  for (const name of ['localhost', 'LOCALHOST.', 'a.b.localhost']) {
    assert.deepEqual(await resolve(name), ['127.0.0.1', '::1'])
  }
  assert.deepEqual(asked, [])
})

test('the hosts file has priority', async t => {
  const { servers, asked } = await serve(t, { 'hooks.example': { ips: ['10.0.0.1'], ttl: 9 } })
  const hostsFile = join(tmpdir(), `hosts-${process.pid}`)
  await writeFile(
    hostsFile,
    '# 10.9.9.9 hooks.example\n10.0.0.7\tother Hooks.Example # us\r\nfd00::7 hooks.example\n',
  )
  const { resolve } = createResolver({ servers, hostsFile })
  assert.deepEqual(await resolve('hooks.example'), ['10.0.0.7', 'fd00::7'])
  assert.deepEqual(asked, [])
})

test('returns all addresses of a name, and caches them for their time to live', async t => {
  const { servers, asked } = await serve(t, {
    'two.example': { ips: ['10.0.0.1', '10.0.0.2'], ttl: 60 },
    'brief.example': { ips: ['10.0.0.3'], ttl: 1 },
  })
  const { resolve } = createResolver({ servers })
  assert.deepEqual((await resolve('two.example')).sort(), ['10.0.0.1', '10.0.0.2'])
  await resolve('two.example')
  assert.deepEqual(asked, ['two.example'])
  await resolve('brief.example')
  await new Promise(done => setTimeout(done, 1_050))
  await resolve('brief.example')
  assert.deepEqual(asked, ['two.example', 'brief.example', 'brief.example'])
})

test('concurrent look-ups share one query, and TTL 0 caches nothing', async t => {
  const { servers, asked } = await serve(t, { 'zero.example': { ips: ['10.0.0.1'], ttl: 0 } })
  const { resolve } = createResolver({ servers })
  await Promise.all(Array.from({ length: 50 }, () => resolve('zero.example')))
  assert.equal(asked.length, 1)
  await resolve('zero.example')
  assert.equal(asked.length, 2)
})

test('an unknown name has no addresses and is queried again next time', async t => {
  const { servers, asked } = await serve(t, {})
  const { resolve } = createResolver({ servers })
  assert.deepEqual(await resolve('none.example'), [])
  assert.deepEqual(await resolve('a'.repeat(70)), [])
  const before = asked.length
  await resolve('none.example')
  assert.ok(asked.length > before)
})

test('gives up a silent name server after two tries of 2 s', async t => {
  const { servers, asked } = await serve(t, { 'silent.example': 'silent' })
  const start = performance.now()
  assert.deepEqual(await createResolver({ servers }).resolve('silent.example'), [])
  assert.equal(asked.length, 2)
  // Nominally 4 s. Without the setting, the second try alone takes longer than on a busy machine.
  assert.ok(performance.now() - start < 30_000)
})
