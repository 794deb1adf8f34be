import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import {
  DISGUISED_URLS,
  INVALID_URLS,
  LOOPBACK_HOSTS,
  METADATA_HOSTS,
  PRIVATE_HOSTS,
} from '../../test/corpus/addresses.ts'
import { startReceiver } from '../../test/receiver.ts'
import { type AddressRule, addressRuleOf, createAddressRule } from '../core/http/address.ts'
import { createResolver, type Resolve } from './resolve.ts'
import { createSender } from './send.ts'

const onPublic = createAddressRule({ publicUrl: 'https://desk.example.com' })
const atHome = createAddressRule({ publicUrl: 'http://localhost:4000' })
const resolver = createResolver({ servers: ['127.0.0.1:9'] })
const toUrl = (host: string) => `http://${host}:PORT/`
const METADATA = ['169.254.169.254', '169.254.170.2', '100.100.100.200', '192.0.0.192', '168.63.129.16']

/** Listeners on 127.0.0.1 and ::1 on one port, and a function that sends to URLs and reports what happens. */
async function setUpCanaries(t: TestContext) {
  const first = await startReceiver()
  const second = await startReceiver(200, { host: '::1', port: first.port })
  t.after(() => Promise.all([first.close(), second.close()]))
  const sendAll = async (addressRule: AddressRule, urls: string[]) => {
    const sender = createSender({ addressRule, resolve: resolveToCanary })
    const send = (url: string) =>
      sender.send({ url: url.replaceAll('PORT', `${first.port}`), headers: {}, body: Buffer.from('{}') })
    const outcomes = await Promise.all(urls.map(send))
    await sender.close()
    return outcomes.map(({ error }, place) => ({ url: urls[place], error }))
  }
  return { sendAll, countConnections: () => first.counts.connections + second.counts.connections }
}

/** Resolves names like an attacker's DNS: localhost stays as it is, every other name resolves to the canary. */
const resolveToCanary: Resolve = async name =>
  name.endsWith('localhost') ? resolver.resolve(name) : ['127.0.0.1']

test('a public server connects to no address of the corpus', async t => {
  const { sendAll, countConnections } = await setUpCanaries(t)
  const hosts = [...LOOPBACK_HOSTS, ...PRIVATE_HOSTS, ...METADATA_HOSTS].map(toUrl)
  assert.ok(hosts.length + INVALID_URLS.length + DISGUISED_URLS.length >= 300)
  const blocked = await sendAll(onPublic, [...hosts, ...DISGUISED_URLS])
  assert.deepEqual(
    blocked.filter(({ error }) => error !== 'blocked_address'),
    [],
  )
  const invalid = await sendAll(onPublic, INVALID_URLS)
  assert.deepEqual(
    invalid.filter(({ error }) => error !== 'invalid_url'),
    [],
  )
  assert.equal(countConnections(), 0)
})

test('a private server connects to no metadata address and accepts no other schemes', async t => {
  const { sendAll, countConnections } = await setUpCanaries(t)
  const outcomes = await sendAll(atHome, [...METADATA_HOSTS.map(toUrl), ...INVALID_URLS])
  assert.deepEqual(
    outcomes.filter(({ error }) => error !== 'blocked_address' && error !== 'invalid_url'),
    [],
  )
  assert.equal(countConnections(), 0)
})

test('a private server reaches the same canaries in the same spellings', async t => {
  const { sendAll, countConnections } = await setUpCanaries(t)
  const isCanary = (url: string) => /^(127\.0\.0\.1|\[::1\]|.*localhost\.?)$/.test(URL.parse(url)!.hostname)
  const urls = LOOPBACK_HOSTS.map(toUrl).filter(url => isCanary(url.replace('PORT', '80')))
  assert.ok(urls.length >= 60, `${urls.length}`)
  assert.deepEqual(
    (await sendAll(atHome, urls)).filter(({ error }) => error),
    [],
  )
  assert.ok(countConnections() > 0)
})

test('public addresses are allowed, up to the edges of the special ranges', () => {
  const edges = `
    1.0.0.0 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 169.253.255.255
    169.255.0.0 172.15.255.255 172.32.0.0 192.0.1.0 192.0.3.0 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0
    223.255.255.255 168.63.129.15 2000:: 2001:200::1 2001:db7::1 2001:db9::1 2003::1 2606:4700:4700::1111
    2a00:1450:4001::8 3ffe::1 3fff:1000::1`
  for (const ip of edges.trim().split(/\s+/)) assert.equal(onPublic.isAllowed(ip), true, ip)
})

test('an address is judged by its bytes, in every IPv6 form that contains an IPv4 address', () => {
  const hex = (ip: string, invert = 0) =>
    Buffer.from(ip.split('.').map(part => Number(part) ^ invert))
      .toString('hex')
      .replace(/(....)(....)/, '$1:$2')
  const forms = (ip: string) => [
    ...['::', '::ffff:', '::ffff:0:', '64:ff9b::', '64:ff9b:1::', 'fe80::5efe:', '2606:4700::'].map(
      p => p + hex(ip),
    ),
    ...[`2002:${hex(ip)}::7`, `2001:0:${hex(ip)}::7`, `2001:0:808:808:0:1:${hex(ip, 255)}`],
  ]
  const octet = fc.constantFrom(...METADATA)
  const everything = createAddressRule({
    publicUrl: 'https://a.example.com',
    allowedCidrs: ['::/0', '0.0.0.0/0'],
  })
  fc.assert(
    fc.property(octet, fc.constantFrom(onPublic, atHome, everything), (ip, rule) => {
      for (const form of [ip, ...forms(ip)]) assert.equal(rule.isAllowed(form), false, form)
    }),
  )
})

test('a public server allows no private address in any embedded form', () => {
  const byte = fc.integer({ min: 0, max: 255 })
  const privates = fc.oneof(
    fc.tuple(fc.constantFrom(0, 10, 127), byte, byte, byte),
    fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), byte, byte),
    fc.tuple(fc.constantFrom(192), fc.constant(168), byte, byte),
    fc.tuple(fc.constantFrom(169), fc.constant(254), byte, byte),
    fc.tuple(fc.integer({ min: 224, max: 255 }), byte, byte, byte),
  )
  fc.assert(
    fc.property(privates, fc.constantFrom('', '::', '::ffff:', '::ffff:0:', '64:ff9b::'), (ip, prefix) => {
      assert.equal(onPublic.isAllowed(prefix + ip.join('.')), false)
    }),
  )
})

test('a listed range allows only itself, and never metadata addresses', () => {
  const allowedCidrs = ['10.1.0.0/16', ' 192.168.7.7', 'fd00::/8', '169.254.0.0/16', '::ffff:10.9.0.0/112']
  const rule = createAddressRule({ publicUrl: 'https://desk.example.com', allowedCidrs })
  const allowed = [
    '10.1.2.3',
    '::ffff:10.1.2.3',
    '::ffff:10.9.1.1',
    '192.168.7.7',
    'fd12::1',
    '169.254.1.1',
    '8.8.8.8',
  ]
  const refused = [
    '10.2.0.1',
    '192.168.7.8',
    'fc00::1',
    '127.0.0.1',
    '64:ff9b::10.1.2.3',
    ...METADATA,
    'fd00:ec2::254',
  ]
  for (const ip of allowed) assert.equal(rule.isAllowed(ip), true, ip)
  for (const ip of refused) assert.equal(rule.isAllowed(ip), false, ip)
})

test('the settings decide whether the server is public, and which networks are allowed in addition', () => {
  const rule = addressRuleOf({ publicUrl: 'https://desk.example.com', webhookAllowedCidrs: ['10.1.0.0/16'] })
  assert.deepEqual(
    [rule.isServerPublic, rule.isAllowed('10.1.2.3'), rule.isAllowed('10.2.0.1')],
    [true, true, false],
  )
})

test('an invalid entry of WEBHOOK_ALLOWED_CIDRS prevents the start, and the error names it', () => {
  for (const cidr of [
    '10/8',
    '10.0.0.0/33',
    '::/129',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    'office',
    '',
    '0x7f.1/8',
    '1.2.3.4/-1',
  ]) {
    const create = () => createAddressRule({ publicUrl: 'http://localhost', allowedCidrs: [cidr] })
    assert.throws(create, {
      message: `WEBHOOK_ALLOWED_CIDRS: "${cidr}" is not an address or a range such as 10.0.0.0/8`,
    })
  }
})

test('a server is public unless PUBLIC_URL names this machine or a private network', () => {
  const home = `
    http://localhost:4000 http://LOCALHOST. http://desk http://desk.local http://desk.local. http://desk.internal http://desk.lan
    http://desk.home.arpa http://a.localhost http://127.0.0.1:4000 http://0.0.0.0 http://10.0.0.5 http://172.20.1.1
    http://192.168.1.10:4000 http://100.100.3.4 http://169.254.3.4 http://[::1] http://[fd12::1] http://[fe80::1]
    http://[::ffff:192.168.1.1] http://0x7f.1`
  const open = `
    https://desk.example.com https://desk.example.com. https://local.example.com https://8.8.8.8 http://203.0.113.5
    https://[2606:4700::1] https://desk.locals https://10.example.com https://127.0.0.1.nip.io`
  const isPublic = (publicUrl: string) => createAddressRule({ publicUrl }).isServerPublic
  for (const url of home.trim().split(/\s+/)) assert.equal(isPublic(url), false, url)
  for (const url of [...open.trim().split(/\s+/), 'garbage', '']) assert.equal(isPublic(url), true, url)
})

test('refuses text that is not a plain IP address', () => {
  for (const text of [
    '',
    'localhost',
    '10',
    '0x7f.1',
    '[::1]',
    '8.8.8.8.',
    '8.8.8.8/32',
    '::g',
    '0177.0.0.1',
  ]) {
    assert.equal(atHome.isAllowed(text), false, text)
  }
})

test('describes the current rule in one sentence', () => {
  const listed = createAddressRule({
    publicUrl: 'https://desk.example.com',
    allowedCidrs: ['10.1.0.0/16', 'fd00::/8'],
  })
  assert.match(
    atHome.describe(),
    /^Webhooks and buckets of projects may reach any address, .* metadata addresses are always refused\.$/,
  )
  assert.match(
    onPublic.describe(),
    /refused unless listed in WEBHOOK_ALLOWED_CIDRS; cloud metadata .* refused\.$/,
  )
  assert.match(listed.describe(), /refused except 10\.1\.0\.0\/16, fd00::\/8; /)
})
