import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import {
  makeAnchor,
  makeMessageId,
  makeNoticeAddress,
  makeProbeAddress,
  makeProbeMailId,
  makeReplyAddress,
  makeReturnPath,
  readOwnId,
  readProbeToken,
  readReplyAddress,
  readReturnPath,
  removeNoticeTokens,
} from './tokens.ts'

const key = randomBytes(32)
const address = 'support@desk.example.com'

test('reads the ticket ID from a reply address in any case and with a relay prefix', () => {
  for (const ticket of [
    randomUUID(),
    '00000000-0000-7000-8000-000000000000',
    'ffffffff-ffff-7fff-bfff-ffffffffffff',
  ]) {
    const made = makeReplyAddress(key, address, ticket)!
    assert.match(made, /^support\+r\.[a-z2-7]{26}\.[a-z2-7]{16}@desk\.example\.com$/)
    for (const given of [made, made.toUpperCase(), `prvs=4711abcdef=${made}`]) {
      assert.equal(readReplyAddress(key, given), ticket)
    }
  }
})

test('rejects a reply address with any letter of the token changed', () => {
  const made = makeReplyAddress(key, address, randomUUID())!
  const [from, to] = [made.indexOf('+') + 1, made.indexOf('@')]
  for (let at = from; at < to; at++) {
    for (const other of 'abcdefghijklmnopqrstuvwxyz234567'.replace(made[at]!, '')) {
      assert.equal(readReplyAddress(key, made.slice(0, at) + other + made.slice(at + 1)), null, String(at))
    }
  }
})

test('reads no ticket ID from an address without a token made with this key', () => {
  const made = makeReplyAddress(randomBytes(32), address, randomUUID())!
  const own = makeReplyAddress(key, address, randomUUID())!
  const given = [
    made,
    address,
    'support+spring-sale@desk.example.com',
    'support+r@desk.example.com',
    'support+r..@desk.example.com',
    '',
    '@',
    own.replace('@', 'a@'),
    own.replace('@', '.a@'),
    makeReturnPath(key, address, randomUUID())!,
  ]
  for (const one of given) assert.equal(readReplyAddress(key, one), null, one)
})

test('returns null for a reply address whose local part would exceed 64 characters', () => {
  assert.ok(makeReplyAddress(key, `${'a'.repeat(18)}@desk.example.com`, randomUUID()))
  assert.equal(makeReplyAddress(key, `${'a'.repeat(19)}@desk.example.com`, randomUUID()), null)
})

test('reads the message ID from a return path but not from a reply address', () => {
  const message = randomUUID()
  assert.equal(readReturnPath(key, makeReturnPath(key, address, message)!), message)
  assert.equal(readReturnPath(key, makeReplyAddress(key, address, message)!), null)
})

test('reads the message ID from a Message-ID and the ticket ID from an anchor', () => {
  const id = randomUUID()
  assert.deepEqual(readOwnId(key, makeMessageId(key, id, 'desk.example.com')), { kind: 'message', id })
  assert.deepEqual(readOwnId(key, makeAnchor(key, id, 'desk.example.com').toUpperCase()), {
    kind: 'ticket',
    id,
  })
})

test('rejects a foreign ID, and an ID with the kind changed', () => {
  const id = makeMessageId(key, randomUUID(), 'desk.example.com')
  const given = [
    'a@b',
    'm.a.b@c',
    '',
    id.replace(/^m/, 't'),
    makeAnchor(randomBytes(32), randomUUID(), 'x.example'),
  ]
  for (const one of given) assert.equal(readOwnId(key, one), null, one)
})

test('reads the ID of a test and the kind of its email from the plus address and the Message-IDs', () => {
  const id = randomUUID()
  const made = makeProbeAddress(key, address, id)!
  for (const given of [made, made.toUpperCase(), makeProbeMailId(key, 'plus', id, 'desk.example.com')])
    assert.deepEqual(readProbeToken(key, given), { kind: 'plus', id })
  assert.deepEqual(readProbeToken(key, makeProbeMailId(key, 'plain', id, 'desk.example.com')), {
    kind: 'plain',
    id,
  })
  assert.equal(readReplyAddress(key, made), null)
})

test('reads no test from tokens of other kinds or made with another key', () => {
  const id = randomUUID()
  const others = [
    makeReplyAddress(key, address, id)!,
    makeReturnPath(key, address, id)!,
    makeMessageId(key, id, 'a.example'),
  ]
  const foreign = makeProbeAddress(randomBytes(32), address, id)!
  for (const given of [...others, foreign, address, '']) assert.equal(readProbeToken(key, given), null, given)
})

test('removes only the tokens of notices to operators from a text, also from links', () => {
  const id = randomUUID()
  const [notice, reply] = [makeNoticeAddress(key, address, id)!, makeReplyAddress(key, address, id)!]
  const text = `Desk <${notice}> wrote to <${notice.toUpperCase()}> mailto:${encodeURIComponent(notice)}, ${reply}`
  const [upper, encoded] = [address.toUpperCase(), encodeURIComponent(address)]
  const without = `Desk <${address}> wrote to <${upper}> mailto:${encoded}, ${reply}`
  assert.equal(removeNoticeTokens(text), without)
})
