import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, watch } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { test } from 'node:test'
import { dkimVerify } from 'mailauth'
import { compose, composeAndRead, makeFile, makeOutgoing } from '../../../test/mail/outgoing.ts'
import { until } from '../../../test/until.ts'
import { composeEmail } from './compose-email.ts'
import type { OutgoingEmail } from './outgoing-email.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'der' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
const dkim = { domain: 'acme.example', selector: 's1', privateKey }

async function verify(email: Buffer): Promise<string[]> {
  const resolver = async (name: string, type: string) => {
    assert.deepEqual([name, type], ['s1._domainkey.acme.example', 'TXT'])
    return [[`v=DKIM1; k=rsa; p=${publicKey.toString('base64')}`]]
  }
  const { results } = await dkimVerify(email, { resolver } as never)
  return results.map(({ status, signingDomain }) => `${status.result} ${signingDomain}`)
}

const emails: Record<string, Partial<OutgoingEmail>> = {
  'an answer in Hebrew': { content: { text: 'שלום,\n\nאיזה צבע?\n\n', html: null }, subject: 'מנורה 4711' },
  'trailing spaces and empty lines': { content: { text: 'Hello  \n\n\n x \t\n\n\n', html: null } },
  'a subject and recipients that are folded': {
    subject: 'Lamp '.repeat(100),
    to: Array.from({ length: 100 }, (_, at) => ({ name: `Ann ${at}`, address: `a${at}@example.com` })),
  },
  'a file of 3 MB': { files: [makeFile('a.bin', Buffer.alloc(3_000_000, 'abc'))] },
}

for (const [what, email] of Object.entries(emails)) {
  test(`the DKIM signature is valid: ${what}`, async () => {
    assert.deepEqual(await verify(await compose({ ...email, dkim })), ['pass acme.example'])
  })
}

test('a signed email is read like an unsigned one, and a changed one is not valid', async () => {
  const signed = await compose({ dkim })
  assert.ok(signed.includes(await compose()))
  const changed = Buffer.from(signed.toString('latin1').replace('colour', 'color'), 'latin1')
  assert.notEqual((await verify(changed))[0]?.split(' ')[0], 'pass')
  assert.equal((await composeAndRead({ dkim })).headers.subject, 'Re: Lamp 4711')
})

test('signing leaves no temporary file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'deskbell-dkim-'))
  const made = new Set<string | null>()
  const watcher = watch(folder, (_event, name) => made.add(name))
  const usual = process.env.TMPDIR
  process.env.TMPDIR = folder
  const signing = composeEmail(makeOutgoing({ dkim, files: [makeFile('a.bin', Buffer.alloc(2_000_000))] }))
  await finished((await signing).resume())
  await until(() => made.size > 0 && readdirSync(folder).length === 0)
  watcher.close()
  if (usual === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = usual
  rmSync(folder, { recursive: true })
})

test('a key that cannot sign is an error, not an unsigned email', async () => {
  const { privateKey: edwards } = generateKeyPairSync('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  for (const bad of ['', 'no key', edwards])
    await assert.rejects(compose({ dkim: { ...dkim, privateKey: bad } }))
})
