import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { administrate } from '../../../../test/database.ts'
import { openFileContext } from '../../../../test/file-context.ts'
import { freePort } from '../../../../test/free-port.ts'
import { openMailbox, startReceivingIn } from '../../../../test/mail/receiving.ts'
import { makeMail, readMail, type StoredMail } from '../../../../test/mail.ts'
import { startMailbox } from '../../../../test/mailbox.ts'
import { startNameServer } from '../../../../test/name-server.ts'
import { needs } from '../../../../test/needs.ts'
import { type Postfix, startPostfix } from '../../../../test/postfix.ts'
import { startServer, type TestServer } from '../../../../test/server.ts'
import { until } from '../../../../test/until.ts'
import { root } from '../../../core/config/config.ts'
import { makeReplyAddress } from '../../../mail/tokens.ts'

/** A real Postfix, with the configuration that docs/email.md describes, hands over email to Deskbell. */

const support = 'support@tickets.example.com'
const installed = needs('postfix')

let server: TestServer
let receiving: Awaited<ReturnType<typeof startReceivingIn>>
let restart: () => Promise<void>
let postfix: Postfix
let senders: Awaited<ReturnType<typeof startMailbox>>
const context = openFileContext()

/** The lines for main.cf, the tables and the alias of the guide. */
function readGuide(lmtpPort: number) {
  const page = readFileSync(join(root, 'docs/email.md'), 'utf8').replaceAll(':2424', `:${lmtpPort}`)
  const section = page.slice(page.indexOf('### Your own mail server'))
  const blocks = [...section.matchAll(/^```(\w*)\n(.*?)^```$/gms)].filter(([, language]) => language === '')
  const [settings, tables] = blocks.map(([, , text]) => text!)
  const lines = [...tables!.matchAll(/^# \/etc\/postfix\/(\w+).*\n((?:[^#\n].*\n)+)/gm)]
  return {
    settings: settings!,
    tables: Object.fromEntries(lines.map(([, name, text]) => [name!, text!])),
    aliases: /An alias such as `(.+?)`/.exec(section)![1]!,
  }
}

/** `gone` is known to Postfix, but not to Deskbell. Postfix returns emails to senders in sender.example. */
function configOf([lmtpPort, smtpPort]: number[], sinkPort: string) {
  const { settings, tables, aliases } = readGuide(lmtpPort!)
  const { deskbell_recipients: recipients, deskbell_transport: transport } = tables
  return {
    settings: `${settings}\nmydestination = example.com`,
    aliases,
    tables: {
      deskbell_recipients: `${recipients}help@tickets.example.com ok\ngone@tickets.example.com ok\n`,
      deskbell_transport: `${transport}smtp.example.com smtp:[127.0.0.1]:${smtpPort}\nsender.example smtp:[127.0.0.1]:${sinkPort}\n`,
    },
  }
}

before(async () => {
  if (installed.skip) return
  const ports = [await freePort(), await freePort()]
  const mailListen = (['lmtp', 'smtp'] as const).map((protocol, at) => ({
    ...{ protocol, host: '127.0.0.1', port: ports[at]! },
  }))
  server = await startServer({ delivers: false, config: { mailListen } })
  context.after(() => server.close())
  const { servers } = await startNameServer(context, () => undefined)
  receiving = await startReceivingIn(server, { nameServers: servers })
  context.after(() => receiving.stop())
  restart = async () => {
    receiving = await startReceivingIn(server, { nameServers: servers })
  }
  await openMailbox(receiving, support, { aliases: ['support@example.com'] })
  await openMailbox(receiving, 'support@smtp.example.com')
  await openMailbox(receiving, 'help@tickets.example.com', {}, server.rival)
  senders = await startMailbox()
  context.after(() => senders.close())
  postfix = await startPostfix(context, configOf(ports, new URL(senders.url).port))
})

interface Handled extends StoredMail {
  ticket_id: string
  message_id: string
}

/** Waits until emails with this subject have been handled. */
const handled = (subject: string, { id } = server.acme): Promise<Handled[]> =>
  until(async () => {
    const rows = await server.db<Handled[]>`
      select * from incoming_mails where project_id = ${id} and state <> 'stored' and subject = ${subject}`
    return rows.length > 0 && [...rows]
  }, 60)

async function handledOnce(subject: string): Promise<Handled> {
  const mails = await handled(subject)
  assert.deepEqual(
    mails.map(({ state }) => state),
    ['done'],
  )
  return mails[0]!
}

const readText = async (mail: StoredMail): Promise<string> => (await readMail(server, mail)).toString()

test('hands over an email unchanged with its envelope', installed, async () => {
  const mail = makeMail('Grüße', 'Ein Brief mit Umlauten: äöü\r\n..\r\n. A line that begins with a dot')
  await postfix.send('ann@sender.example', [support], mail)
  const stored = await handledOnce('Grüße')
  assert.deepEqual(
    [stored.source, stored.envelope_from, stored.envelope_to, stored.outcome],
    ['lmtp', 'ann@sender.example', [support], 'new'],
  )
  const text = await readText(stored)
  assert.ok(text.endsWith(mail), text)
  assert.match(
    text,
    /^Return-Path: <ann@sender\.example>\r\nDelivered-To: support@tickets\.example\.com\r\nReceived: /,
  )
  assert.equal(text.match(/^Return-Path:/gm)!.length, 1)
})

test('hands over a reply to a reply address, which joins its ticket', installed, async () => {
  await postfix.send('ann@sender.example', [support], makeMail('A question'))
  const { ticket_id } = await handledOnce('A question')
  const reply = makeReplyAddress(server.vault.derive('mail'), support, ticket_id)!
  await postfix.send('ann@sender.example', [reply], makeMail('Its answer'))
  const answer = await handledOnce('Its answer')
  assert.deepEqual([answer.outcome, answer.ticket_id], ['reply_token', ticket_id])
})

test('hands over an email to several recipients once for each mailbox', installed, async () => {
  const to = [support, 'support+tag@tickets.example.com', 'help@tickets.example.com']
  await postfix.send('ann@sender.example', to, makeMail('To several'))
  assert.deepEqual((await handledOnce('To several')).envelope_to.sort(), [to[1], to[0]])
  const [own, ...others] = await handled('To several', server.rival)
  assert.deepEqual([own!.envelope_to, own!.outcome, others.length], [[to[2]], 'new', 0])
})

test('hands over an email from an address with non-ASCII letters', installed, async () => {
  const from = 'jörg@sender.example'
  await postfix.send(from, [support], makeMail('SMTPUTF8').replace('ann@example.com', from))
  const mail = await handledOnce('SMTPUTF8')
  assert.equal(mail.envelope_from, from)
  assert.match(await readText(mail), /^Return-Path: <jörg@sender\.example>\r\n/)
  const { body } = await server.api.get(`/messages/${mail.message_id}`)
  assert.equal(body.email.from, from)
})

test('hands over an email of 30 MB', installed, async () => {
  const line = `${'A'.repeat(76)}\r\n`
  const file = line.repeat(Math.ceil((30 * 1024 * 1024) / line.length))
  const mail = makeMail('Large', file).replace(
    'Subject',
    'MIME-Version: 1.0\r\nContent-Type: application/octet-stream; name=large.bin\r\nContent-Transfer-Encoding: base64\r\nSubject',
  )
  await postfix.send('ann@sender.example', [support], mail)
  const { size, message_id } = await handledOnce('Large')
  assert.ok(Number(size) > mail.length)
  const { body } = await server.api.get(`/messages/${message_id}`)
  assert.partialDeepStrictEqual(body.media, [{ filename: 'large.bin' }])
})

test('returns an email to its sender if the mailbox does not exist', installed, async () => {
  const gone = 'gone@tickets.example.com'
  await postfix.send('ann@sender.example', [gone], makeMail('To nobody'))
  const report = await until(() => senders.mails.at(-1))
  assert.deepEqual([report.from, report.to], ['', ['ann@sender.example']])
  assert.match(report.text, /Status: 5\.1\.1/)
  assert.match(report.text, /550 5\.1\.1 No such mailbox here/)
  await until(async () => (await postfix.listQueue()).length === 0)
})

test('hands over an email to an alias in /etc/aliases', installed, async () => {
  await postfix.send('ann@sender.example', ['support@example.com'], makeMail('By alias'))
  const { envelope_to, outcome } = await handledOnce('By alias')
  assert.deepEqual([envelope_to, outcome], [[support], 'new'])
})

test('hands over an email by SMTP', installed, async () => {
  const to = 'support@smtp.example.com'
  await postfix.send('ann@sender.example', [to], makeMail('By SMTP'))
  const { source, envelope_from, envelope_to } = await handledOnce('By SMTP')
  assert.deepEqual([source, envelope_from, envelope_to], ['smtp', 'ann@sender.example', [to]])
})

test('hands over a burst of emails without deferring any', installed, async () => {
  const subjects = Array.from({ length: 60 }, (_, at) => `In a burst ${at}`)
  await Promise.all(subjects.map(one => postfix.send('ann@sender.example', [support], makeMail(one))))
  // Postfix would try again after 5 minutes.
  await Promise.all(subjects.map(handledOnce))
})

/** Waits until Postfix has deferred the only email in its queue for this reason. */
const untilKept = (reason: RegExp) =>
  until(async () => {
    const [mail] = await postfix.listQueue()
    return mail?.recipients.some(({ delay_reason = '' }) => reason.test(delay_reason))
  })

/** Flushes repeatedly, because Deskbell may not be ready for the first attempt, and Postfix would try again after 5 minutes. */
const untilHandedOver = () =>
  until(async () => {
    await postfix.flush()
    return (await postfix.listQueue()).length === 0
  }, 60)

async function assertReceivedOnce(subject: string): Promise<void> {
  const mail = await handledOnce(subject)
  assert.deepEqual([mail.envelope_from, mail.envelope_to], ['ann@sender.example', [support]])
  assert.match(await readText(mail), /^Return-Path: <ann@sender\.example>\r\n/)
  const messages = await server.db`
    select from messages where project_id = ${server.acme.id} and content = ${subject}`
  assert.equal(messages.length, 1)
}

test(
  'keeps an email while the database is stopped, and hands it over once afterwards',
  installed,
  async () => {
    const { database } = server.target
    await administrate(server.target, `alter database ${database} allow_connections false`)
    await administrate(
      server.target,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}'`,
    )
    await postfix.send('ann@sender.example', [support], makeMail('Without database', 'Without database'))
    await untilKept(/451 4\.3\.0 Message cannot be stored right now/)
    await administrate(server.target, `alter database ${database} allow_connections true`)
    await untilHandedOver()
    await assertReceivedOnce('Without database')
  },
)

test('keeps an email while Deskbell is stopped, and hands it over once afterwards', installed, async () => {
  await receiving.stop()
  await postfix.send('ann@sender.example', [support], makeMail('Without Deskbell', 'Without Deskbell'))
  await untilKept(/Connection refused/)
  await restart()
  await untilHandedOver()
  await assertReceivedOnce('Without Deskbell')
})
