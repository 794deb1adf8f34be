import assert from 'node:assert/strict'
import { chmodSync } from 'node:fs'
import { before, test } from 'node:test'
import { type Dovecot, deliverByLmtp, listMaildir, startDovecot } from '../../../../test/dovecot.ts'
import { openFileContext } from '../../../../test/file-context.ts'
import { group, mailOf, part, type TestPart, textMail } from '../../../../test/mail/compose.ts'
import { openMailbox, type Receiving, startReceiving } from '../../../../test/mail/receiving.ts'
import { fetchMails, findMailbox, makeMailbox, readMail, type StoredMail } from '../../../../test/mail.ts'
import { needs } from '../../../../test/needs.ts'
import { until } from '../../../../test/until.ts'
import { makeMailReader } from '../../../mail/read.ts'
import { pauseMailbox, resumeMailbox } from '../mailboxes/mailboxes.ts'

/** Emails that break parsers, received by a server. Each is followed by an ordinary email, which must not wait for it. */

const installed = needs('dovecot')
const to = 'support@desk.example.com'

/** Seconds by which a hostile email may delay the next one. */
const maxDelay = 15

/** The first attempt takes longer than the next email may. */
const timeouts = { mailsplit: 30_000, rough: 100, 'postal-mime': 100 }

let receiving: Receiving
let dovecot: Dovecot
let mailboxId: string
/** How many seconds an ordinary email takes if no hostile one comes before it. A busy machine takes longer. */
let usual: number
const context = openFileContext()

/** `received` by LMTP, or `fetched` by IMAP. */
const deliveries = {
  received: (mail: Buffer) => deliverByLmtp(receiving.port, to, mail),
  fetched: (mail: Buffer) => dovecot.deliver('support@example.com', mail),
}

before(async () => {
  const readers = new URL('../../../../test/mail/poisoned-readers.ts', import.meta.url).href
  receiving = await startReceiving({
    reader: makeMailReader({ readers, timeouts, heapMb: 96, externalMb: 128 }),
  })
  context.after(() => receiving.close())
  await openMailbox(receiving, to)
  const begun = performance.now()
  await deliveries.received(textMail(headersOf('usual@mail.example.com', 'usual'), 'An ordinary email'))
  await until(() => findMail('usual@mail.example.com'))
  usual = (performance.now() - begun) / 1_000
  if (installed.skip) return
  dovecot = await startDovecot(context, { users: { support: 'secret' } })
  const mailbox = await makeMailbox(receiving.server, dovecot)
  mailboxId = mailbox.id
  fetchMails(context, receiving.server)
  await until(async () => (await findMailbox(receiving.server, mailbox)).last_ok_at)
})

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

/** Fetching the others is no different: they are only hard to read. */
const fetchedPoisons = ['10 MB of flowed quotes', '100,000 NULs', 'a line of 2 MB']

async function findMail(id: string): Promise<StoredMail | undefined> {
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

interface Names {
  poison: string
  plain: string
  headers: string[]
}

function nameNext(): Names {
  const number = count++
  const [poison, plain] = [`poison${number}@mail.example.com`, `plain${number}@mail.example.com`]
  return { poison, plain, headers: headersOf(poison, `poison${number}`) }
}

/** Delivers an ordinary email and checks that it becomes a ticket in time. */
async function assertNextIsTicket({ plain }: Names, deliver: (mail: Buffer) => Promise<void>): Promise<void> {
  const begun = performance.now()
  await deliver(textMail(headersOf(plain, plain.split('@')[0]!), 'An ordinary email'))
  const next = await until(() => findMail(plain), 60)
  const delay = (performance.now() - begun) / 1_000 - usual
  assert.deepEqual([next.state, next.outcome], ['done', 'new'])
  assert.ok(delay < maxDelay, `${delay} s longer than the ${usual} s that it takes without a hostile email`)
}

const cases = [
  ...Object.keys(poisons).map(name => ({ name, way: 'received' as const })),
  ...fetchedPoisons.map(name => ({ name, way: 'fetched' as const })),
]

/** IMAP does not allow NUL: Dovecot replaces it. */
const sourceOf = (raw: Buffer, way: keyof typeof deliveries): Buffer =>
  way === 'received' ? raw : Buffer.from(raw.map(byte => byte || 0x80))

for (const { name, way } of cases)
  test(
    `${name}, ${way}: the next email becomes a ticket, and the hostile email is in the log with its source`,
    way === 'fetched' ? installed : {},
    async () => {
      const names = nameNext()
      const raw = poisons[name]!(names.headers)
      await deliveries[way](raw)
      await assertNextIsTicket(names, deliveries[way])
      if (name.endsWith('hangs')) assert.equal(await findMail(names.poison), undefined)
      const log = await until(() => findMail(names.poison), 90)
      assert.deepEqual([log.state, log.outcome], ['done', 'new'])
      assert.ok((await readMail(receiving.server, log)).includes(sourceOf(raw, way).subarray(-200)))
    },
  )

test('no space for temporary files: the next email becomes a ticket, and the hostile email is in the log with its source', async () => {
  const names = nameNext()
  const raw = textMail([...names.headers, 'X-Poison: has a full disk'], 'Text')
  await deliveries.received(raw)
  await assertNextIsTicket(names, deliveries.received)
  const log = await until(async () => {
    const [row] = await receiving.server.db<StoredMail[]>`
      select * from incoming_mails where project_id = ${receiving.server.acme.id} and last_error like 'ENOSPC%'`
    return row
  })
  assert.equal(log.state, 'stored')
  assert.ok((await readMail(receiving.server, log)).includes(raw))
})

test(
  'unreadable on its server: the next email becomes a ticket, and the log has the reason',
  installed,
  async () => {
    const { server } = receiving
    const caller = { project: server.acme, actor: { type: 'cli' as const } }
    await pauseMailbox(server.db, caller, mailboxId)
    await until(async () => (await findMailbox(server, { id: mailboxId })).lease_id === null)
    const names = nameNext()
    await deliveries.fetched(textMail(names.headers, 'Text'))
    chmodSync(listMaildir(dovecot.maildir('support')).at(-1)!, 0)
    await assertNextIsTicket(names, async mail => {
      await deliveries.fetched(mail)
      await resumeMailbox(server.db, caller, mailboxId)
    })
    await until(async () => {
      const [log] = await server.db<{ last_error: string }[]>`
        select last_error from incoming_mails where project_id = ${server.acme.id} and outcome = 'unreadable'`
      return log?.last_error
    })
  },
)
