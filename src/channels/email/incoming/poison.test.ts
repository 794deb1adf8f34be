import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { deliverByLmtp } from '../../../../test/dovecot.ts'
import { group, mailOf, part, type TestPart, textMail } from '../../../../test/mail/compose.ts'
import { openMailbox, type Receiving, startReceiving } from '../../../../test/mail/receiving.ts'
import { readMail, type StoredMail } from '../../../../test/mail.ts'
import { until } from '../../../../test/until.ts'
import { makeMailReader } from '../../../mail/read.ts'

/** Emails that break parsers, received by a server. Each is followed by a usual email, which must not wait for it. */

const to = 'support@desk.example.com'

/** Seconds. Longer than on an idle machine, where it takes less than 5. */
const limit = 10

/** The first attempt takes longer than `limit`. */
const timeouts = { mailsplit: 12_000, rough: 100, 'postal-mime': 100 }

let receiving: Receiving

before(async () => {
  const readers = new URL('../../../../test/mail/poisoned-readers.ts', import.meta.url).href
  receiving = await startReceiving({
    reader: makeMailReader({ readers, timeouts, heapMb: 96, externalMb: 128 }),
  })
  await openMailbox(receiving, to)
})
after(() => receiving.close())

function nest(depth: number): TestPart {
  let inner = part('text/plain', 'Deepest')
  for (let at = 0; at < depth; at++) inner = group('mixed', `b${at}`, inner)
  return inner
}

const manyParts = (): TestPart[] => Array.from({ length: 5_000 }, (_, at) => part('text/plain', `Part ${at}`))

const quote = '> this is a quoted line that flows on and on to the next \n'

const poisons: Record<string, (headers: string[]) => Buffer> = {
  'parts nested 150 deep': headers => mailOf(group('mixed', 'top', nest(150)), ...headers),
  '5,000 parts': headers => mailOf(group('mixed', 'b', ...manyParts()), ...headers),
  '10 MB of flowed quotes': headers =>
    textMail([...headers, 'Content-Type: text/plain; format=flowed'], quote.repeat(175_000)),
  '100,000 NULs': headers => textMail(headers, `a${'\0'.repeat(100_000)}b`),
  'a line of 2 MB': headers => textMail(headers, 'x'.repeat(2 * 1024 * 1024)),
  'a parser that throws': headers => textMail([...headers, 'X-Poison: throws'], 'Text'),
  'a parser that hangs': headers => textMail([...headers, 'X-Poison: hangs'], 'Text'),
  'a parser that eats memory': headers => textMail([...headers, 'X-Poison: eats memory'], 'Text'),
}

const findMail = async (id: string): Promise<StoredMail | undefined> => {
  const { db, acme } = receiving.server
  const [row] = await db<StoredMail[]>`
    select * from incoming_mails where project_id = ${acme.id} and header_id = ${id} and state <> 'stored'`
  return row
}

const headersOf = (id: string, sender: string): string[] => [
  `From: ${sender}@example.com`,
  `Message-ID: <${id}>`,
  `Subject: ${id}`,
]

let count = 0

for (const [name, make] of Object.entries(poisons))
  test(`${name}: the next email becomes a ticket, and the poison is in the log with its source`, async () => {
    const number = count++
    const [poison, plain] = [`poison${number}@mail.example.com`, `plain${number}@mail.example.com`]
    const raw = make(headersOf(poison, `poison${number}`))
    await deliverByLmtp(receiving.port, to, raw)
    await deliverByLmtp(receiving.port, to, textMail(headersOf(plain, `plain${number}`), 'A usual email'))
    const next = await until(() => findMail(plain), limit)
    assert.deepEqual([next.state, next.outcome], ['done', 'new'])
    if (name.endsWith('hangs')) assert.equal(await findMail(poison), undefined)
    const log = await until(() => findMail(poison), 60)
    assert.deepEqual([log.state, log.outcome], ['done', 'new'])
    assert.ok((await readMail(receiving.server, log)).includes(raw.subarray(-200)))
  })
