import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { cpuTime } from '../../test/cpu-time.ts'
import { corpusCases, readCorpusMail, readMail, type WorldTicket } from '../../test/mail/corpus-mails.ts'
import { listEvidence } from './evidence.ts'
import { listTicketNumbers, readSubject, stripPrefixes } from './subject.ts'
import { makeAnchor, makeMessageId, makeReplyAddress, readOwnId, readReplyAddress } from './tokens.ts'

const key = randomBytes(32)
const ids = Object.fromEntries(['T1', 'T2', 'T3', 'T4', 'T5', 'T6'].map(name => [name, randomUUID()]))
const tickets: WorldTicket[] = Object.entries(ids).map(([name, id], at) => ({
  name,
  number: at + 11,
  out: makeMessageId(key, id, 'desk.example.com'),
  reply: makeReplyAddress(key, 'support@desk.example.com', id)!,
  anchor: makeAnchor(key, id, 'desk.example.com'),
}))
const recipients = { envelope: [], readToken: (address: string) => readReplyAddress(key, address) }

/** Message-IDs of the emails that opened the tickets. */
const first: Record<string, string> = {
  'setup-t1@mail.example.com': 'T1',
  'setup-t2@exchange.example.org': 'T2',
}

function findName(reason: string, value: string): string | undefined {
  if (reason === 'thread_index') return 'T2'
  if (reason === 'ticket_number') return tickets.find(({ number }) => String(number) === value)?.name
  const id = reason === 'reply_token' ? value : readOwnId(key, value)?.id
  return first[value] ?? Object.keys(ids).find(name => ids[name] === id)
}

test('the first known evidence of each corpus email is the one in the manifest', async () => {
  let checked = 0
  for (const { file, expect } of corpusCases) {
    const { target, reason } = expect.threading
    if (!/^T\d$/.test(target)) continue
    const evidence = listEvidence(await readCorpusMail(file, tickets), recipients)
    const known = evidence.find(one => findName(one.reason, one.value))
    assert.deepEqual([known?.reason, known && findName(known.reason, known.value)], [reason, target], file)
    checked++
  }
  assert.ok(checked > 20)
})

test('a token with a changed letter is not evidence', async () => {
  const { reply } = tickets[0]!
  const at = reply.indexOf('@') - 1
  const changed = reply.slice(0, at) + (reply[at] === 'a' ? 'b' : 'a') + reply.slice(at + 1)
  assert.deepEqual(listEvidence(await readMail(`To: ${changed}\n\nHi`), recipients), [])
})

test('lists evidence by priority and without duplicates', async () => {
  const [one, other] = [randomUUID(), randomUUID()]
  const token = (id: string) => makeReplyAddress(key, 'support@desk.example.com', id)!
  const mail = await readMail(
    `From: ann@example.com
To: ${token(one)}
Cc: ${token(other).toUpperCase()}, bob@example.com
Delivered-To: ${token(one)}
In-Reply-To: <c@x> <d@x>
References: <a@x> <b@x> <c@x>
Thread-Index: AdxqD0wgxER0A41FnkDkcUr++nv42oAARKGwgAABLCA=
Subject: AW: [#12] Lamp [#7] [#12]

Hi`,
  )
  assert.deepEqual(
    listEvidence(mail, { ...recipients, envelope: [token(other)] }).map(
      ({ reason, value }) => `${reason} ${value}`,
    ),
    [
      `reply_token ${other}`,
      `reply_token ${one}`,
      'in_reply_to c@x',
      'in_reply_to d@x',
      'references b@x',
      'references a@x',
      'thread_index 01dc6a0f4c20c44474038d459e40e4714afefa7bf8da',
      'ticket_number 12',
      'ticket_number 7',
      'subject lamp [#7] [#12]',
    ],
  )
})

test('a short Thread-Index and a subject without a reply prefix are not evidence', async () => {
  for (const subject of ['Lamp', 'Fwd: Lamp', 'WG: AW: Lamp', 'Re:', 'Reference: 4711', 'station: A'])
    assert.deepEqual(
      listEvidence(await readMail(`Subject: ${subject}\nThread-Index: AdxqD0wg\n\nHi`), recipients),
      [],
      subject,
    )
})

test('strips reply prefixes in many languages from a subject', () => {
  const subjects = [
    'Re: Lamp',
    'RE[2]: Lamp',
    'Re(3): Lamp',
    'Re^2: Lamp',
    'AW: WG: Lamp',
    'Antw.: Lamp'.replace('.', ''),
    'SV: SV: Lamp',
    'VS: Lamp',
    'R: Lamp',
    'RIF: Lamp',
    'RÉP: Lamp',
    'RES: Lamp',
    'Odp: Lamp',
    'YNT: Lamp',
    'Vá: Lamp',
    'ΑΠ: Lamp',
    'Отв: Lamp',
    'НА: Lamp',
    '回复：Lamp',
    '回覆: Lamp',
    '答复: Lamp',
    '返信: Lamp',
    '회신: Lamp',
    'ตอบ: Lamp',
    'השב: Lamp',
    'رد: Lamp',
    'Trả lời: Lamp',
    '[EXTERNAL] Re: Lamp',
    'Re: [#12] Lamp',
    'Re : Lamp',
    'Re:\u00a0 Lamp',
    'Re:Lamp',
  ]
  for (const subject of subjects)
    assert.deepEqual(readSubject(subject), { base: 'lamp', isReply: true }, subject)
  assert.deepEqual(readSubject('Fwd: Re: Lamp'), { base: 'lamp', isReply: false })
  assert.equal(stripPrefixes('Fwd: WG:  The Lamp: 2'), 'The Lamp: 2')
})

test('reads ticket numbers only in the form [#123]', () => {
  assert.deepEqual(listTicketNumbers('[#12] #13 [14] [# 15] [#16a] Re: [#017]'), ['12', '017'])
})

test('reads only the first five ticket numbers of a subject', () => {
  const subject = Array.from({ length: 20_000 }, (_, at) => `[#${at + 1}]`).join('')
  assert.deepEqual(listTicketNumbers(subject), ['1', '2', '3', '4', '5'])
})

test('reads subjects of 250 KB with as many tags or prefixes as possible in less than a second', () => {
  for (const piece of ['[a]', 're:', 'fwd: ', '[a] re: ']) {
    const subject = piece.repeat(250_000 / piece.length)
    const startedAt = cpuTime()
    readSubject(subject)
    stripPrefixes(subject)
    const ms = cpuTime() - startedAt
    assert.ok(ms < 1_000, `${piece}: ${ms} ms`)
  }
})
