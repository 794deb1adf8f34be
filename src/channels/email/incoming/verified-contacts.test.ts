import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { typesOf } from '../../../../test/cast.ts'
import { openFileContext } from '../../../../test/file-context.ts'
import { openMailbox, type Receiving, receive, startReceiving } from '../../../../test/mail/receiving.ts'
import { type WrittenMail, writeMail } from '../../../../test/mail/write-mail.ts'
import { newId } from '../../../core/ids.ts'

/** An email verifies the address of its sender if the receiving mail server says that DMARC passed, and no other address. */

const support = 'support@acme.example'
const form = 'form@acme.example'
const omar = 'omar@acme.example'
const context = openFileContext()
let receiving: Receiving

before(async () => {
  receiving = await startReceiving()
  context.after(() => receiving.close())
  const { db, acme, rival } = receiving.server
  const trust = { authserv_ids: ['mx.acme.example'], form_senders: [form] }
  await openMailbox(receiving, support, trust)
  await openMailbox(receiving, 'support@rival.example', trust, rival)
  await db`insert into operators (project_id, id, name, email) values (${acme.id}, ${newId()}, 'Omar', ${omar})`
})

const trusted = (dmarc: string) => [`Authentication-Results: mx.acme.example; dmarc=${dmarc}`]

const send = (mail: WrittenMail) => receive(receiving, support, writeMail(mail).raw)

/** Whether the address of a contact is verified; null if there is no such contact. */
async function isVerified(email: string, api = receiving.server.api): Promise<boolean | null> {
  const { items } = (await api.get(`/contacts?email=${encodeURIComponent(email)}`)).body
  return items[0]?.identities[0].is_verified ?? null
}

const addressOf = (name: string) => `${name}${newId()}@example.com`

test('a DMARC pass verifies the address of a new contact', async () => {
  const from = addressOf('ann')
  await send({ from, headers: trusted('pass') })
  assert.equal(await isVerified(from), true)
  await send({ from, headers: trusted('fail') })
  assert.equal(await isVerified(from), true)
})

test('a DMARC pass verifies the address of a known contact in one project, without an event', async () => {
  const from = addressOf('ann')
  const { server } = receiving
  await send({ from })
  await receive(receiving, 'support@rival.example', writeMail({ from }).raw, server.rival)
  const unverified = await typesOf(server, () => send({ from }))
  assert.equal(await isVerified(from), false)
  assert.deepEqual(await typesOf(server, () => send({ from, headers: trusted('pass') })), unverified)
  assert.equal(await isVerified(from), true)
  assert.equal(await isVerified(from, server.outsider), false)
})

const unproved: Record<string, string[]> = {
  'no result': [],
  'DMARC none': trusted('none'),
  'DMARC failed': trusted('fail'),
  'a result of an unknown server': ['Authentication-Results: mx.elsewhere.example; dmarc=pass'],
  'a result for another domain': [
    'Authentication-Results: mx.acme.example; dmarc=pass header.from=elsewhere.example',
  ],
  'a forged result below that of the trusted server': [...trusted('fail'), ...trusted('pass')],
  'another address in a second From header': [...trusted('pass'), 'From: eve@example.com'],
}

for (const [name, headers] of Object.entries(unproved))
  test(`an email does not verify its sender: ${name}`, async () => {
    const from = addressOf('ann')
    await send({ from, headers })
    await send({ from: 'eve@example.com', headers: trusted('pass') })
    assert.notEqual(await isVerified(from), true)
  })

test('an email of a web form does not verify the person who filled it in', async () => {
  const ann = addressOf('ann')
  await send({ from: form, replyTo: ann, headers: trusted('pass') })
  assert.equal(await isVerified(ann), false)
})

test('Reply-To does not verify its address', async () => {
  const [eve, ann] = [addressOf('eve'), addressOf('ann')]
  await send({ from: ann })
  await send({ from: eve, replyTo: ann, headers: trusted('pass') })
  assert.deepEqual([await isVerified(eve), await isVerified(ann)], [true, false])
})

test('an email that an operator forwards does not verify its sender', async () => {
  const ann = addressOf('ann')
  const text = `---------- Forwarded message ---------\r\nFrom: Ann <${ann}>\r\nDate: Wed, Nov 4, 2026 at 9:00 AM\r\nSubject: Chair\r\nTo: <${omar}>\r\n\r\nIt squeaks.`
  const { outcome } = await send({ from: omar, subject: 'Fwd: Chair', text, headers: trusted('pass') })
  assert.equal(outcome, 'forwarded')
  assert.equal(await isVerified(ann), false)
})
