import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { after, before, test } from 'node:test'
import { dkimSign } from 'mailauth'
import nodemailer from 'nodemailer'
import { lastMail, openMailbox, type Receiving, startReceiving } from '../../../../test/mail/receiving.ts'
import { startNameServer } from '../../../../test/name-server.ts'

/** Deskbell checks the senders of email that is delivered by SMTP itself, with real DNS answers and a real DKIM key. */

const support = 'support@acme.example'
const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 1024,
  publicKeyEncoding: { type: 'spki', format: 'der' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
const records: Record<string, string> = {
  'allowed.example': 'v=spf1 ip4:127.0.0.1 -all',
  '_dmarc.allowed.example': 'v=DMARC1; p=reject',
  'signed.example': 'v=spf1 -all',
  '_dmarc.signed.example': 'v=DMARC1; p=reject',
  's1._domainkey.signed.example': `v=DKIM1; k=rsa; p=${publicKey.toString('base64')}`,
}
const stops: (() => unknown)[] = []
let receiving: Receiving

before(async () => {
  const { servers } = await startNameServer({ after: stop => void stops.push(stop) }, name => {
    if (name.endsWith('silent.example')) return 'silent'
    const text = records[name]
    return text === undefined ? undefined : { ips: [], ttl: 60, text }
  })
  receiving = await startReceiving({ protocol: 'smtp', nameServers: servers })
  await openMailbox(receiving, support, { authserv_ids: ['mx.acme.example'] })
})
after(async () => {
  await receiving.close()
  for (const stop of stops) stop()
})

let count = 0

const write = (from: string, headers: string[] = []): string =>
  [
    ...headers,
    `From: Ann <${from}>`,
    `To: ${support}`,
    'Subject: Hello',
    `Message-ID: <sender.${++count}@mail.example>`,
    'Date: Thu, 05 Nov 2026 10:00:00 +0000',
    '',
    `Text ${count}`,
    '',
  ].join('\r\n')

const signingKey = { signingDomain: 'signed.example', selector: 's1', privateKey }

async function sign(raw: string): Promise<string> {
  const { signatures } = await dkimSign(raw, { signatureData: [signingKey] } as never)
  return `${signatures}${raw}`
}

/** Delivers an email by SMTP and returns the results of its check. */
async function authenticationOf(raw: string, envelopeFrom: string): Promise<Record<string, string>> {
  const transport = nodemailer.createTransport({ host: '127.0.0.1', port: receiving.port, ignoreTLS: true })
  await transport.sendMail({ envelope: { from: envelopeFrom, to: [support] }, raw })
  transport.close()
  const { message_id } = await lastMail(receiving.server)
  return (await receiving.server.api.get(`/messages/${message_id}`)).body.email.authentication
}

test('an email from a server in the SPF record of its domain passes', async () => {
  const found = await authenticationOf(write('ann@allowed.example'), 'ann@allowed.example')
  assert.deepEqual(found, { dmarc: 'pass', spf: 'pass', dkim: 'none', arc: 'none' })
})

test('an email that is signed with the DKIM key of its domain passes from any server', async () => {
  const found = await authenticationOf(await sign(write('ann@signed.example')), 'list@allowed.example')
  assert.deepEqual(found, { dmarc: 'pass', spf: 'pass', dkim: 'pass', arc: 'none' })
})

test('a signed email with another From header above the signed one verifies nobody', async () => {
  const signed = await sign(write('eve@signed.example'))
  const found = await authenticationOf(`From: Ann <ann@signed.example>\r\n${signed}`, 'eve@signed.example')
  assert.equal(found.dmarc, 'none')
})

test('an email that was changed after signing fails', async () => {
  const signed = await sign(write('ann@signed.example'))
  const found = await authenticationOf(signed.replace(/Text/, 'Texts'), 'ann@signed.example')
  assert.deepEqual(found, { dmarc: 'fail', spf: 'fail', dkim: 'fail', arc: 'none' })
})

test('SPF of another domain in the envelope does not verify the address in From', async () => {
  const found = await authenticationOf(write('ann@signed.example'), 'eve@allowed.example')
  assert.deepEqual(found, { dmarc: 'fail', spf: 'pass', dkim: 'none', arc: 'none' })
})

test('headers with results count for nothing, even with the name of a trusted server', async () => {
  const header =
    'Authentication-Results: mx.acme.example; dmarc=pass header.from=signed.example; dkim=pass; spf=pass'
  const found = await authenticationOf(write('ann@signed.example', [header]), 'ann@signed.example')
  assert.deepEqual(found, { dmarc: 'fail', spf: 'fail', dkim: 'none', arc: 'none' })
})

test('without an answer from DNS, the email is accepted with the result temperror', async () => {
  const found = await authenticationOf(write('ann@silent.example'), 'ann@silent.example')
  assert.partialDeepStrictEqual(found, { dmarc: 'temperror', spf: 'temperror' })
})

test('an email of a domain without records has no result', async () => {
  const found = await authenticationOf(write('ann@unknown.example'), 'ann@unknown.example')
  assert.deepEqual(found, { dmarc: 'none', spf: 'none', dkim: 'none', arc: 'none' })
})

test('an email with more signatures than any legitimate one has is not verified', async () => {
  const signatures = Array.from(
    { length: 40 },
    (_, at) =>
      `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=signed.example; s=s1; l=${at}; bh=YQ==; h=from; b=YQ==`,
  )
  const found = await authenticationOf(write('ann@allowed.example', signatures), 'ann@allowed.example')
  assert.deepEqual(found, { dmarc: 'fail', spf: 'fail', dkim: 'fail', arc: 'fail' })
})
