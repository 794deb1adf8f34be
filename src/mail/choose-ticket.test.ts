import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MailVerdict } from './authentication.ts'
import {
  type CandidateTicket,
  type Choice,
  chooseTicket,
  type Match,
  type ThreadingSettings,
} from './choose-ticket.ts'
import type { EvidenceReason } from './evidence.ts'

const settings: ThreadingSettings = { strangers: 'new_ticket', reopenDays: 14, subjectDays: 30 }
const open: CandidateTicket = {
  id: 't1',
  isClosed: false,
  closedDays: 0,
  quietDays: 1,
  baseSubject: 'lamp',
  sender: 'contact',
  isOnlyOpen: true,
}

const match = (reason: EvidenceReason, ticket: Partial<CandidateTicket> = {}): Match => ({
  reason,
  value: 'x',
  ticket: { ...open, ...ticket },
})

const choose = (matches: Match[], authentication: MailVerdict = 'none', changed: object = {}): Choice =>
  chooseTicket(
    matches,
    { baseSubject: 'lamp', authentication, hasOperatorToken: false },
    { ...settings, ...changed },
  )

const tell = ({ target, reason, related, warnings }: Choice): string =>
  [
    target.kind === 'ticket' ? target.id : target.kind === 'follow_up' ? `follow_up:${target.of}` : 'new',
    reason,
    ...(related ? [`related:${related}`] : []),
    ...warnings,
  ].join(' ')

const strong: EvidenceReason[] = ['reply_token', 'in_reply_to', 'references', 'thread_index']
// A forged result is none: only that of the own server counts.
const verdicts: MailVerdict[] = ['pass', 'fail', 'none']

/** What happens to a mail with this evidence, by sender and DMARC. */
function expected(reason: EvidenceReason, sender: CandidateTicket['sender'], verdict: MailVerdict): string {
  const warnings = [
    ...(verdict === 'fail' ? ['unverified'] : []),
    ...(sender === 'operator' && verdict !== 'pass' ? ['operator_unverified'] : []),
  ]
  const own = verdict === 'fail' ? ' unverified' : ''
  const isWeak = !strong.includes(reason)
  if (reason === 'subject' && sender !== 'contact') return `new new${own}`
  if (sender === 'stranger') return `new new_stranger related:t1${own}`
  if (isWeak && verdict === 'fail') return 'new new_unverified related:t1 unverified'
  return ['t1', reason, ...warnings].join(' ')
}

for (const sender of ['contact', 'participant', 'operator', 'stranger'] as const) {
  for (const reason of [...strong, 'ticket_number', 'subject'] as const) {
    for (const verdict of verdicts) {
      test(`a mail of a ${sender} with ${reason}, DMARC ${verdict}: ${expected(reason, sender, verdict)}`, () => {
        assert.equal(tell(choose([match(reason, { sender })], verdict)), expected(reason, sender, verdict))
      })
    }
  }
}

test('no mail of a stranger gets into a ticket, whatever else it has', () => {
  const matches = [...strong, 'ticket_number' as const, 'subject' as const].map(reason =>
    match(reason, { sender: 'stranger' }),
  )
  for (const verdict of verdicts) {
    const choice = choose(matches, verdict)
    assert.deepEqual([choice.target, choice.evidence], [{ kind: 'new' }, null])
  }
})

test('where strangers may join, they need more than a number or a subject', () => {
  const join = (reason: EvidenceReason) =>
    tell(choose([match(reason, { sender: 'stranger' })], 'none', { strangers: 'join' }))
  for (const reason of strong) assert.equal(join(reason), `t1 ${reason}`)
  assert.equal(join('ticket_number'), 'new new_stranger related:t1')
  assert.equal(join('subject'), 'new new')
})

test('the first evidence that holds decides, and evidence that does not hold is passed over', () => {
  const other = match('in_reply_to', { id: 't2', sender: 'stranger' })
  assert.equal(tell(choose([other, match('references')])), 't1 references')
  assert.equal(
    tell(choose([match('reply_token'), { ...other, ticket: { ...open, id: 't2' } }])),
    't1 reply_token',
  )
  assert.equal(
    tell(choose([other, match('ticket_number')], 'fail')),
    'new new_stranger related:t2 unverified',
  )
})

test('the subject alone holds only for the one open ticket of the contact, and not after 30 quiet days', () => {
  assert.equal(tell(choose([match('subject', { quietDays: 30 })])), 't1 subject')
  for (const ticket of [{ quietDays: 31 }, { isOnlyOpen: false }, { isClosed: true, closedDays: 1 }])
    assert.equal(tell(choose([match('subject', ticket)])), 'new new')
})

const closed = { isClosed: true, closedDays: 15 }

test('a ticket that was closed long ago gets a follow-up, or a related ticket if the subject differs', () => {
  assert.equal(tell(choose([match('in_reply_to', { isClosed: true, closedDays: 14 })])), 't1 in_reply_to')
  assert.equal(tell(choose([match('in_reply_to', closed)])), 'follow_up:t1 follow_up')
  assert.equal(tell(choose([match('in_reply_to', closed)], 'fail')), 'follow_up:t1 follow_up unverified')
  assert.equal(tell(choose([match('in_reply_to', { ...closed, baseSubject: 'sofa' })])), 'new new related:t1')
})

test('a mail with another subject stays in a running ticket, with a warning', () => {
  assert.equal(
    tell(choose([match('in_reply_to', { baseSubject: 'sofa' })])),
    't1 in_reply_to subject_changed',
  )
  const empty = { baseSubject: '', authentication: 'none', hasOperatorToken: false } as const
  assert.equal(tell(chooseTicket([match('in_reply_to')], empty, settings)), 't1 in_reply_to')
})

test('an operator with a token of their own needs no DMARC', () => {
  const facts = { baseSubject: 'lamp', authentication: 'none', hasOperatorToken: true } as const
  assert.equal(
    tell(chooseTicket([match('reply_token', { sender: 'operator' })], facts, settings)),
    't1 reply_token',
  )
})

test('a mail without evidence is a new ticket', () => {
  assert.equal(tell(choose([])), 'new new')
  assert.equal(tell(choose([], 'fail')), 'new new unverified')
})
