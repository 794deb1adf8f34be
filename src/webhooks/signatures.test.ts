import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { needs } from '../../test/needs.ts'
import { type Received, startReceiver } from '../../test/receiver.ts'
import { startServer } from '../../test/server.ts'
import { until } from '../../test/until.ts'
import type { NewEvent } from '../events/catalogue.ts'
import { sampleData } from '../events/samples.ts'
import { transact } from '../events/transaction.ts'

/** What is sent is exactly what was signed, to the byte, checked by verifiers that share no code with us. */

const seed = Number(process.env.FUZZ_SEED ?? randomInt(2 ** 31))
const bodies = 10_000
const atOnce = 250

const folder = mkdtempSync(join(tmpdir(), 'deskbell signatures '))
const server = await startServer()
const receiver = await startReceiver()
after(async () => {
  await server.close()
  await receiver.close()
  rmSync(folder, { recursive: true, force: true })
})

/** All of Unicode that Postgres can store, half of it beyond the first 128 characters. */
const text = fc
  .oneof(fc.string({ unit: 'binary', maxLength: 60 }), fc.string({ unit: 'grapheme', maxLength: 60 }))
  .map(value => value.replaceAll('\0', ''))

let secret: string
let received: Received[]

before(async () => {
  const { body } = await server.api.post('/webhooks', { url: receiver.url })
  secret = body.secret
  const texts = fc.sample(text, { seed, numRuns: bodies })
  const data = sampleData('message.created')
  for (let at = 0; at < bodies; at += atOnce) {
    const events = texts
      .slice(at, at + atOnce)
      .map(content => ({ type: 'message.created', data: { ...data, content } }) as NewEvent)
    await transact(server.db, server.acme.id, async tx => tx.emit(...events))
  }
  received = await drain()
  received.forEach(({ body }, at) => {
    const part = join(folder, String(at % 20))
    mkdirSync(part, { recursive: true })
    writeFileSync(join(part, String(at)), body)
  })
})

/** Deliveries take as long as the machine needs, so wait only for progress. */
async function drain(): Promise<Received[]> {
  for (let before = -1; receiver.requests.length < bodies; ) {
    await until(async () => receiver.requests.length > before)
    before = receiver.requests.length
  }
  // A delivery that is repeated, because the machine was slow, may follow.
  return receiver.requests.slice()
}

const signatureOf = ({ headers }: Received) => headers['x-webhook-signature']!.replace('sha256=', '')

test(`openssl verifies ${bodies} bodies of random Unicode (seed ${seed})`, needs('openssl'), t => {
  let verified = 0
  for (let part = 0; part < 20; part++) {
    const names = received.map((_, at) => `${at}`).filter(at => Number(at) % 20 === part)
    const { stdout, stderr } = spawnSync('openssl', ['dgst', '-sha256', '-hmac', secret, ...names], {
      cwd: join(folder, String(part)),
      encoding: 'utf8',
    })
    const found = new Map([...stdout.matchAll(/\((\d+)\)= ([0-9a-f]{64})/g)].map(([, at, hex]) => [at, hex]))
    for (const at of names) {
      assert.equal(found.get(at), signatureOf(received[Number(at)]!), `body ${at}, ${stderr}`)
      verified++
    }
  }
  t.diagnostic(`${verified} verified, ${new Set(received.map(signatureOf)).size} different`)
  assert.ok(verified >= bodies)
})

const verifier = `
import hashlib, hmac, json, os, sys
secret, folder, wanted = json.load(sys.stdin)
for at, signature in enumerate(wanted):
    body = open(os.path.join(folder, str(at % 20), str(at)), "rb").read()
    made = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    assert hmac.compare_digest(made, signature), at
    json.loads(body)
print(len(wanted))
`

test(`Python verifies and reads ${bodies} bodies of random Unicode (seed ${seed})`, needs('python3'), () => {
  const input = JSON.stringify([secret, folder, received.map(signatureOf)])
  const { stdout, stderr } = spawnSync('python3', ['-c', verifier], { input, encoding: 'utf8' })
  assert.equal(stdout.trim(), String(received.length), stderr)
})
