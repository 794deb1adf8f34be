import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuTime } from '../../test/cpu-time.ts'
import { startReader } from '../../test/mail/reading.ts'
import { readDeliveryReport } from './bounce.ts'
import { readForward } from './forward.ts'

/** This work does not run in a worker, so it must be quick for any email. */

const { read } = startReader()

const block = 'From: Ann <ann@example.com>\r\nDate: Wed, Nov 4, 2026 at 9:00 AM\r\nSubject: Lamp\r\n\r\n'
const rest = 'From: a line that is no header block, of which there are many\r\n\r\n'

const write = (type: string, body: string) =>
  Buffer.from(
    `From: Omar <omar@example.com>\r\nSubject: Fwd: Lamp\r\nMIME-Version: 1.0\r\nContent-Type: ${type}\r\n\r\n${body}`,
  )

test('a forwarded email of 3 MB is read in less than a second, and its whole text is kept', async () => {
  const mail = await read(write('text/plain', `See below.\r\n\r\n${block}${rest.repeat(50_000)}The end.`))
  const startedAt = cpuTime()
  const forwarded = readForward(mail)
  const ms = cpuTime() - startedAt
  assert.ok(ms < 1_000, `${ms} ms`)
  assert.partialDeepStrictEqual(forwarded, { sender: { address: 'ann@example.com' }, note: 'See below.' })
  assert.ok(forwarded!.text.startsWith('From: a line') && forwarded!.text.endsWith('The end.'))
})

test('only the first delivery reports in an email are read', async () => {
  const part =
    '--b\r\nContent-Type: message/delivery-status\r\n\r\nFinal-Recipient: rfc822; ann@example.com\r\n'
  const type = 'multipart/report; report-type=delivery-status; boundary=b'
  const mail = await read(write(type, `${part.repeat(100)}--b--\r\n`))
  assert.equal(readDeliveryReport(mail, []).deliveries.length, 5)
  assert.ok(mail.truncated.includes('reports'))
})
