import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuTime } from '../../test/cpu-time.ts'
import { readDeliveryReport } from './bounce.ts'
import type { Mail } from './mail.ts'

/** Every email is searched for a report in the process of the server, so a hostile one must not block it. */

const listAddresses = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => `r${at.toString(36)}@example.com`)

const mailOf = (text: string, { failed = '', subject = 'Hello' } = {}): Mail =>
  ({
    ...{ text, reports: [], attached: null },
    headers: { subject, all: { 'x-failed-recipients': [failed] }, inReplyTo: [], references: [] },
  }) as never

const hostile = {
  'a header with 15,000 recipients': mailOf('a b c d '.repeat(2_048), {
    failed: listAddresses(15_000).join(),
  }),
  'a text with 1,000 addresses': mailOf(listAddresses(1_000).join('\n')),
  'a subject with 15,000 addresses': mailOf('', { subject: listAddresses(15_000).join(' 5.1.1 ') }),
}

for (const [name, mail] of Object.entries(hostile))
  test(`${name} is searched for failed recipients in less than 500 ms`, () => {
    const begun = cpuTime()
    const { deliveries } = readDeliveryReport(mail, [])
    assert.ok(cpuTime() - begun < 500)
    assert.equal(deliveries.length, 100)
  })
