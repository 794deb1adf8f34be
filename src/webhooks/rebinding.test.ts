import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { freePort } from '../../test/free-port.ts'
import { type Entry, startNameServer } from '../../test/name-server.ts'
import { startReceiver } from '../../test/receiver.ts'
import { createAddressRule } from '../core/http/address.ts'
import { createResolver } from './resolve.ts'
import { createSender } from './send.ts'

/** Names whose owner changes the address between look-ups, within one attempt or between attempts. */

const seed = Number(process.env.FUZZ_SEED ?? randomInt(2 ** 31))
const looks = 1_000

/** The only address of this machine that counts as public here. */
const open = '127.9.9.9'
const closed = [
  ...['127.0.0.1', '127.0.0.2', '0.0.0.0', '10.0.0.1', '192.168.0.1', '169.254.169.254', '100.64.0.1'],
  ...['::1', '::', '::ffff:127.0.0.1', '::ffff:7f00:1', '::127.0.0.1', '64:ff9b::7f00:1', '2002:7f00:1::'],
  ...['fd00::1', 'fe80::1', 'fd00:ec2::254'],
]

const anyone = fc.constantFrom(...closed)
/** The owner's answer to one look-up. */
const answer: fc.Arbitrary<Entry> = fc.record({
  ips: fc.oneof(
    fc.constant([open]),
    fc.array(anyone, { minLength: 1, maxLength: 3 }),
    fc.tuple(fc.constant(open), anyone),
    fc.tuple(anyone, fc.constant(open)),
    fc.tuple(anyone, fc.constant(open), anyone),
  ),
  ttl: fc.constantFrom(0, 0, 1, 3_600),
  alias: fc.constantFrom(undefined, undefined, 'edge.cdn.example', 'localhost', 'a.b.c.d.e.f.example'),
})

/** Listeners on one port, on the allowed address and on addresses of this machine that are not allowed. */
async function listen() {
  // One that the system has chosen for the first of these addresses could be in use on 127.0.0.1.
  const port = await freePort()
  const receiver = await startReceiver(200, { host: open, port })
  const canaries = await Promise.all(
    ['127.0.0.1', '127.0.0.2', '::1'].map(host => startReceiver(200, { host, port })),
  )
  return {
    receiver,
    countInside: () => canaries.reduce((sum, { counts }) => sum + counts.connections, 0),
    close: () => Promise.all([receiver, ...canaries].map(one => one.close())),
  }
}

test(`${looks} look-ups of names with changing addresses (seed ${seed}) lead to no forbidden address`, async t => {
  const { receiver, countInside, close } = await listen()
  t.after(close)
  const turns = fc.sample(answer, { seed, numRuns: looks * 2 + 50 })
  const given = new Map<string, string[]>()
  let turn = 0
  const { servers, asked } = await startNameServer(t, name => {
    const entry = turns[turn++ % turns.length]!
    given.set(name, [...(given.get(name) ?? []), ...entry.ips])
    return entry
  })
  const rule = createAddressRule({ publicUrl: 'https://desk.example.com', allowedCidrs: [`${open}/32`] })
  const sender = createSender({ addressRule: rule, resolve: createResolver({ servers }).resolve })
  const seen = { delivered: 0, blocked: 0, none: 0 }
  const send = async (number: number) => {
    // Every third name is looked up again; most TTLs are so short that this needs a new query.
    const name = `n${number % 3 ? number : number - (number % 30)}.rebind.example`
    const url = `http://${name}:${receiver.port}/${number}`
    const { ok, error } = await sender.send({ url, headers: {}, body: Buffer.from('{}') })
    if (ok) seen.delivered++
    else if (error === 'blocked_address') seen.blocked++
    else if (error === 'dns') seen.none++
    else assert.fail(`seed ${seed}: ${url} ended in ${error} after ${given.get(name)}`)
  }
  for (let at = 0; at < looks * 1.6; at += 20) {
    await Promise.all(Array.from({ length: 20 }, (_, place) => send(at + place)))
  }
  await sender.close()
  t.diagnostic(`${asked.length} look-ups: ${JSON.stringify(seen)}`)
  assert.equal(countInside(), 0)
  assert.equal(receiver.requests.length, seen.delivered)
  assert.ok(asked.length >= looks && seen.delivered > 50 && seen.blocked > 300, JSON.stringify(seen))
})

test('a name is resolved again for the next attempt, and its open connection is not used if the address is now forbidden', async t => {
  const { receiver, countInside, close } = await listen()
  t.after(close)
  let ip = open
  const { servers } = await startNameServer(t, () => ({ ips: [ip], ttl: 0 }))
  const rule = createAddressRule({ publicUrl: 'https://desk.example.com', allowedCidrs: [`${open}/32`] })
  const sender = createSender({ addressRule: rule, resolve: createResolver({ servers }).resolve })
  const send = () =>
    sender.send({ url: `http://turning.example:${receiver.port}/`, headers: {}, body: Buffer.from('{}') })
  assert.equal((await send()).ok, true)
  ip = '127.0.0.1'
  assert.equal((await send()).error, 'blocked_address')
  ip = open
  assert.equal((await send()).ok, true)
  await sender.close()
  assert.deepEqual([receiver.requests.length, countInside()], [2, 0])
})
