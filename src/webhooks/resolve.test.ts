import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createResolver } from './resolve.ts'

type Zone = Record<string, { ips: string[]; ttl: number } | 'silent'>

/** A name server for A records; every other question gets an empty answer. */
async function startNameServer(t: TestContext, zone: Zone) {
  const asked: string[] = []
  const server = createSocket('udp4')
  server.on('message', (query, from) => {
    const { name, type, end } = readQuestion(query)
    const entry = zone[name]
    if (type === 1) asked.push(name)
    if (entry === 'silent') return
    const records = type === 1 ? (entry?.ips ?? []).map(ip => writeRecord(ip, entry!.ttl)) : []
    const head = Buffer.from([
      query[0]!,
      query[1]!,
      0x81,
      entry ? 0x80 : 0x83,
      0,
      1,
      0,
      records.length,
      0,
      0,
      0,
      0,
    ])
    server.send(Buffer.concat([head, query.subarray(12, end), ...records]), from.port)
  })
  server.bind(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => void server.close())
  return { servers: [`127.0.0.1:${server.address().port}`], asked }
}

function readQuestion(query: Buffer) {
  const labels: string[] = []
  let place = 12
  while (query[place]) {
    labels.push(query.toString('latin1', place + 1, place + 1 + query[place]!))
    place += query[place]! + 1
  }
  return { name: labels.join('.'), type: query.readUInt16BE(place + 1), end: place + 5 }
}

function writeRecord(ip: string, ttl: number) {
  return Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, ttl, 0, 4, ...ip.split('.').map(Number)])
}

test('localhost and names under it are loopback, without asking anyone', async t => {
  const { servers, asked } = await startNameServer(t, {})
  const { resolve } = createResolver({ servers })
  for (const name of ['localhost', 'LOCALHOST.', 'a.b.localhost']) {
    assert.deepEqual(await resolve(name), ['127.0.0.1', '::1'])
  }
  assert.deepEqual(asked, [])
})

test('the hosts file comes first', async t => {
  const { servers, asked } = await startNameServer(t, { 'hooks.example': { ips: ['10.0.0.1'], ttl: 9 } })
  const hostsFile = join(tmpdir(), `hosts-${process.pid}`)
  await writeFile(
    hostsFile,
    '# 10.9.9.9 hooks.example\n10.0.0.7\tother Hooks.Example # us\r\nfd00::7 hooks.example\n',
  )
  const { resolve } = createResolver({ servers, hostsFile })
  assert.deepEqual(await resolve('hooks.example'), ['10.0.0.7', 'fd00::7'])
  assert.deepEqual(asked, [])
})

test('all addresses of a name are given, and kept for their time to live', async t => {
  const { servers, asked } = await startNameServer(t, {
    'two.example': { ips: ['10.0.0.1', '10.0.0.2'], ttl: 1 },
  })
  const { resolve } = createResolver({ servers })
  assert.deepEqual((await resolve('two.example')).sort(), ['10.0.0.1', '10.0.0.2'])
  await resolve('two.example')
  assert.equal(asked.length, 1)
  await new Promise(done => setTimeout(done, 1_050))
  await resolve('two.example')
  assert.equal(asked.length, 2)
})

test('one look-up serves all who ask meanwhile, and TTL 0 keeps nothing', async t => {
  const { servers, asked } = await startNameServer(t, { 'zero.example': { ips: ['10.0.0.1'], ttl: 0 } })
  const { resolve } = createResolver({ servers })
  await Promise.all(Array.from({ length: 50 }, () => resolve('zero.example')))
  assert.equal(asked.length, 1)
  await resolve('zero.example')
  assert.equal(asked.length, 2)
})

test('an unknown name has no addresses, and is asked for again next time', async t => {
  const { servers, asked } = await startNameServer(t, {})
  const { resolve } = createResolver({ servers })
  assert.deepEqual(await resolve('none.example'), [])
  assert.deepEqual(await resolve('a'.repeat(70)), [])
  const before = asked.length
  await resolve('none.example')
  assert.ok(asked.length > before)
})

test('a silent name server is given up after two tries of 2 s', async t => {
  const { servers, asked } = await startNameServer(t, { 'silent.example': 'silent' })
  const start = performance.now()
  assert.deepEqual(await createResolver({ servers }).resolve('silent.example'), [])
  assert.equal(asked.length, 2)
  assert.ok(performance.now() - start < 4_500)
})
