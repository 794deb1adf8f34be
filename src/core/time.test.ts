import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeTicket } from '../../test/cast.ts'
import { assertProblems } from '../../test/client.ts'
import { startServer } from '../../test/server.ts'
import { now } from './time.ts'

const server = await startServer({ delivers: false })
const { api } = server
after(() => server.close())

const ticket = await makeTicket(api)
const snooze = (snoozed_until: unknown) => api.patch(`/tickets/${ticket.id}`, { snoozed_until })

const times: [string, string][] = [
  ['2999-01-15', '2999-01-15T00:00:00.000000'],
  ['2999-01-15T10:30', '2999-01-15T10:30:00.000000'],
  ['2999-01-15T10:30:00', '2999-01-15T10:30:00.000000'],
  ['2999-01-15T10:30:00Z', '2999-01-15T10:30:00.000000'],
  ['2999-01-15t10:30:00z', '2999-01-15T10:30:00.000000'],
  ['2999-01-15T10:30:00.1', '2999-01-15T10:30:00.100000'],
  ['2999-01-15T10:30:00.123456', '2999-01-15T10:30:00.123456'],
  ['2999-01-15T10:30:00.123456789Z', '2999-01-15T10:30:00.123456'],
  ['2999-01-15T10:30:00+02:00', '2999-01-15T08:30:00.000000'],
  ['2999-01-15T10:30:00-0530', '2999-01-15T16:00:00.000000'],
  ['2999-01-15T00:30:00+01', '2999-01-14T23:30:00.000000'],
  ['2996-02-29', '2996-02-29T00:00:00.000000'],
]
for (const [sent, stored] of times) {
  test(`${sent} is stored as ${stored} UTC`, async () => {
    const { status, body, text } = await snooze(sent)
    assert.deepEqual([status, body.snoozed_until], [200, stored], text)
  })
}

test('an invalid time is refused as a schema mismatch', async () => {
  const wrong = [
    ...[
      '',
      ' ',
      'now',
      'tomorrow',
      'infinity',
      '-infinity',
      'epoch',
      '2999',
      '2999-01',
      '2999-1-5',
      '15.01.2999',
    ],
    ...[
      '2999-13-01',
      '2999-00-10',
      '2999-02-29',
      '2999-02-30',
      '2999-01-32',
      '2999-01-15T24:00:01',
      '0000-01-01',
    ],
    ...[
      '2999-01-15T10:60',
      '2999-01-15T10:30:61',
      '2999-01-15T10:30:00+99:00',
      '294277-01-01',
      '-2999-01-15',
    ],
    ...[
      '+294277-01-09T04:00:54.775807Z',
      '2999-01-15 BC',
      '2999-01-15T10:30:00 UTC',
      '32472144000',
      '２９９９-01-15',
    ],
  ]
  for (const one of [...wrong, 32472144000, true, {}, []]) {
    assertProblems(await snooze(one), 'body.snoozed_until')
  }
})

test('times at the edges of the calendar are accepted or refused, and never cause a server error', async () => {
  for (const one of [
    '0001-01-01',
    '0001-01-01T00:00:00+23:59',
    '9999-12-31T23:59:59.999999Z',
    '9999-12-31T23:59:59-23:59',
  ]) {
    for (const query of [
      `created_after=${encodeURIComponent(one)}`,
      `closed_before=${encodeURIComponent(one)}`,
    ]) {
      assert.ok([200, 422].includes((await api.get(`/tickets?${query}`)).status), one)
    }
    assert.ok([200, 422].includes((await snooze(one)).status), one)
  }
})

test('times never go back from one call to the next', () => {
  const all = Array.from({ length: 20_000 }, now)
  assert.ok(all.every((one, at) => at === 0 || one >= all[at - 1]!))
  for (const one of all.slice(0, 100)) assert.match(one, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/)
})
