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

const settings: ThreadingSettings = { reopenDays: 14, subjectDays: 30 }
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
  isInternal: false,
})

const choose = (matches: Match[], authentication: MailVerdict = 'none'): Choice =>
  chooseTicket(matches, { baseSubject: 'lamp', authentication }, settings)

const describe = ({ target, reason, related, warnings }: Choice): string =>
  [
    target.kind === 'ticket' ? target.id : target.kind === 'follow_up' ? `follow_up:${target.of}` : 'new',
    reason,
    ...(related ? [`related:${related}`] : []),
    ...warnings,
  ].join(' ')

const strong: EvidenceReason[] = ['reply_token', 'in_reply_to', 'references', 'thread_index']
// A forged result counts as none: only results from our mail server are used.
const verdicts: MailVerdict[] = ['pass', 'fail', 'none', 'temperror']

/** The expected choice for an email with this evidence, by sender and DMARC result. */
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
      test(`an email from a ${sender} with ${reason} and DMARC ${verdict}: ${expected(reason, sender, verdict)}`, () => {
        assert.equal(
          describe(choose([match(reason, { sender })], verdict)),
          expected(reason, sender, verdict),
        )
      })
    }
  }
}

test('never adds an email from a stranger to a ticket, whatever evidence it has', () => {
  const matches = [...strong, 'ticket_number' as const, 'subject' as const].map(reason =>
    match(reason, { sender: 'stranger' }),
  )
  for (const verdict of verdicts) {
    const { target, reason } = choose(matches, verdict)
    assert.deepEqual([target, reason], [{ kind: 'new' }, 'new_stranger'])
  }
})

test('uses the first accepted evidence and skips rejected evidence', () => {
  const other = match('in_reply_to', { id: 't2', sender: 'stranger' })
  assert.equal(describe(choose([other, match('references')])), 't1 references')
  assert.equal(
    describe(choose([match('reply_token'), { ...other, ticket: { ...open, id: 't2' } }])),
    't1 reply_token',
  )
  assert.equal(
    describe(choose([other, match('ticket_number')], 'fail')),
    'new new_stranger related:t2 unverified',
  )
})

test("matches by subject alone only the contact's single open ticket, and only within 30 days of its last message", () => {
  assert.equal(describe(choose([match('subject', { quietDays: 30 })])), 't1 subject')
  for (const ticket of [{ quietDays: 31 }, { isOnlyOpen: false }, { isClosed: true, closedDays: 1 }])
    assert.equal(describe(choose([match('subject', ticket)])), 'new new')
})

const closed = { isClosed: true, closedDays: 15 }

test('a reply to a ticket closed long ago opens a follow-up, or a related ticket if the subject differs', () => {
  assert.equal(describe(choose([match('in_reply_to', { isClosed: true, closedDays: 14 })])), 't1 in_reply_to')
  assert.equal(describe(choose([match('in_reply_to', closed)])), 'follow_up:t1 follow_up')
  assert.equal(describe(choose([match('in_reply_to', closed)], 'fail')), 'follow_up:t1 follow_up unverified')
  assert.equal(
    describe(choose([match('in_reply_to', { ...closed, baseSubject: 'sofa' })])),
    'new new related:t1',
  )
})

test('adds an email with a different subject to an open ticket with a warning', () => {
  assert.equal(
    describe(choose([match('in_reply_to', { baseSubject: 'sofa' })])),
    't1 in_reply_to subject_changed',
  )
  const empty = { baseSubject: '', authentication: 'none' } as const
  assert.equal(describe(chooseTicket([match('in_reply_to')], empty, settings)), 't1 in_reply_to')
})

test('an email without evidence opens a new ticket', () => {
  assert.equal(describe(choose([])), 'new new')
  assert.equal(describe(choose([], 'fail')), 'new new unverified')
})
