import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { makeDepartment, makeTicket } from '../../test/cast.ts'
import { type Delivered, startMailbox } from '../../test/mailbox.ts'
import { joinCast, joinProject, type Person } from '../../test/operator.ts'
import { startServer, type TestServer } from '../../test/server.ts'
import { reply } from '../../test/widget.ts'
import { createMailer, type Mailer } from '../core/mail/mail.ts'
import { claimDigest } from './claim.ts'
import { listDueDigests } from './digest-queries.ts'
import { createDigestSending } from './notifications.ts'

/** The email that lists what waits for an operator. */

let server: TestServer
let inbox: Awaited<ReturnType<typeof startMailbox>>
let mailer: Mailer
let olga: Person
let rita: Person
let isAway = false

before(async () => {
  server = await startServer({ delivers: false })
  inbox = await startMailbox(() => isAway)
  mailer = createMailer({ smtpUrl: inbox.url, mailFrom: 'Desk <desk@example.com>' })!
  ;({ olga, rita } = await joinCast(server))
})
// Otherwise those who have chosen an hourly email would get one in a later test that runs at a full hour.
afterEach(() => server.db`update users set settings = settings - 'notifications'`)
after(async () => {
  await inbox.close()
  await server.close()
})

/** A time of day that does not come while a test runs, in any time zone of these tests. */
const inHalfADay = (): string => new Date(Date.now() + 12 * 3_600_000).toISOString().slice(11, 16)

const choose = ({ own }: Person, notifications: object) => own.patch('/me', { settings: { notifications } })

async function send({ id } = server.acme): Promise<Delivered[]> {
  const sent = inbox.mails.length
  const work = createDigestSending({ ...server, mailer })
  while ((await work(server.db, id)) > 0);
  return inbox.mails.slice(sent)
}

const makeDue = ({ id }: Person) => server.db`
  update operator_digests set planned_at = now() - interval '1 minute', due_at = now() - interval '1 minute'
  where operator_id = ${id}`

/** A new operator of Acme who gets this email. */
async function join(choice: object = { digest: 'hourly' }) {
  const person = await joinProject(server, server.acme)
  assert.equal((await choose(person, choice)).status, 200)
  assert.deepEqual(await send(), [], 'the choice itself sends nothing')
  return person
}

/** A new operator for whom the email is due. */
async function enter(choice?: object) {
  const person = await join(choice)
  await makeDue(person)
  return person
}

/** A ticket whose contact waits for an answer. */
async function makeWaiting(fields: object) {
  const contact = { email: `ann-${Math.random()}@example.com`, full_name: 'Ann' }
  const ticket = await makeTicket(server.api, { content: 'Hello', contact, ...fields })
  await server.db`update ticket_activity set waiting_since = '2026-01-15 10:30+00'
    where project_id = ${server.acme.id} and ticket_id = ${ticket.id}`
  return ticket
}

const header = (text: string, name: string) =>
  new RegExp(`^${name}: (.*)$`, 'm').exec(text.replaceAll(/\r\n(?=[ \t])/g, ''))?.[1]?.trim()

test('it lists own tickets, mentions and unassigned tickets of own departments, each with a link', async () => {
  const person = await enter({ digest: 'daily', digest_at: inHalfADay(), digest_timezone: 'Europe/Berlin' })
  const [own, foreign] = [
    await makeDepartment(server.db, server.acme, 'Sales'),
    await makeDepartment(server.db, server.acme, 'Repairs'),
  ]
  await server.db`insert into department_operators values (${server.acme.id}, ${own.id}, ${person.id})`
  const mine = await makeWaiting({ subject: 'A {project} lamp', operator_id: person.id })
  const free = await makeWaiting({ subject: 'Free one', department_id: own.id })
  const mentioned = await makeTicket(server.api, { subject: 'Look here', operator_id: olga.id })
  await reply(olga, mentioned.id, 'Look', { is_internal: true, mentions: [person.id] })
  await makeWaiting({ subject: 'Foreign one', department_id: foreign.id })
  await makeTicket(server.outsider, { subject: 'Of Rival' })
  const closed = await makeWaiting({ subject: 'Closed one', operator_id: person.id })
  await server.api.post(`/tickets/${closed.id}/close`)
  const [mail, ...more] = await send()
  assert.deepEqual([more, mail!.to], [[], [person.email]])
  assert.equal(header(mail!.text, 'Subject'), 'Waiting for you in Acme')
  for (const { short_id } of [mine, free, mentioned])
    assert.ok(mail!.text.includes(`/p/${server.acme.id}/inbox/open/${short_id}`), `#${short_id}`)
  for (const words of [
    'Assigned to you (1)',
    'Notes that mention you (1)',
    'Unassigned (1)',
    'A {project} lamp',
  ])
    assert.ok(mail!.text.includes(words), words)
  assert.match(mail!.text, /Ann, waiting since Jan 15, 2026, 11:30/)
  assert.doesNotMatch(mail!.text, /Foreign one|Of Rival|Closed one/)
  assert.deepEqual(await send(), [], 'the next one is due on the next day')
})

test('nothing is sent if nothing waits, and long lists say how many tickets they leave out', async () => {
  const person = await enter()
  const other = await makeDepartment(server.db, server.acme, 'Empty')
  await server.db`insert into department_operators values (${server.acme.id}, ${other.id}, ${person.id})`
  assert.deepEqual(await send(), [])
  for (let count = 0; count < 12; count++) await makeWaiting({ operator_id: person.id })
  await makeDue(person)
  const [mail] = await send()
  assert.match(mail!.text, /Assigned to you \(12\)/)
  assert.match(mail!.text, /And 2 more/)
})

test('a new choice applies from the next time on, and turning it off ends the emails', async () => {
  const person = await enter()
  await makeWaiting({ operator_id: person.id })
  await choose(person, { digest: 'daily', digest_at: inHalfADay() })
  assert.deepEqual(await send(), [])
  await choose(person, { digest: 'off' })
  await makeDue(person)
  assert.deepEqual(await send(), [])
  assert.equal((await choose(person, { digest: 'daily', digest_at: '25:00' })).status, 422)
})

test('one click in the mail program ends the emails, and opening the link does not', async () => {
  const person = await enter()
  await makeWaiting({ operator_id: person.id })
  const [mail] = await send()
  assert.equal(header(mail!.text, 'List-Unsubscribe-Post'), 'List-Unsubscribe=One-Click')
  const path = new URL(header(mail!.text, 'List-Unsubscribe')!.slice(1, -1)).pathname
  const url = new URL(server.url).origin + path
  const digestOf = async () => (await person.own.get('/me')).body.user.settings.notifications.digest
  const page = await fetch(url)
  assert.deepEqual([page.status, await digestOf()], [200, 'hourly'])
  assert.match(await page.text(), /<button>Stop these emails<\/button>/)
  const forged = await fetch(`${url.slice(0, -4)}AAAA`, { method: 'POST' })
  assert.deepEqual([forged.status, await digestOf()], [404, 'hourly'])
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
  assert.equal((await fetch(url, { method: 'POST', body })).status, 200)
  assert.equal(await digestOf(), 'off')
})

test('an email that could not be sent, or whose sender was killed, is sent later with the same Message-ID', async () => {
  const person = await enter()
  await makeWaiting({ operator_id: person.id })
  const [due] = (await listDueDigests(server.db, server.acme.id)).filter(one => one.operator_id === person.id)
  assert.ok(await claimDigest(server.db, server.acme.id, due!))
  assert.deepEqual(await send(), [], 'a claimed one is left alone')
  const lease = () => server.db`update operator_digests set due_at = now() where operator_id = ${person.id}`
  await lease()
  isAway = true
  assert.deepEqual(await send(), [])
  isAway = false
  await lease()
  const [mail] = await send()
  const time = due!.planned_at!.replaceAll(/\D/g, '')
  assert.equal(header(mail!.text, 'Message-ID'), `<digest.${person.id}.${time}@example.com>`)
})

test('people who have left, people of a suspended project and people of Rival get none', async () => {
  const [person, gone] = [await join(), await join()]
  await makeWaiting({})
  await choose(rita, { digest: 'hourly' })
  await send(server.rival)
  await makeDue(rita)
  assert.deepEqual(await send(server.rival), [])
  await server.db`update operators set removed_at = now() where project_id = ${server.acme.id} and id = ${gone.id}`
  for (const one of [person, gone]) await makeDue(one)
  await server.db`update projects set suspended_at = now() where id = ${server.acme.id}`
  assert.deepEqual(await send(), [])
  await server.db`update projects set suspended_at = null where id = ${server.acme.id}`
  await makeDue(person)
  assert.deepEqual(
    (await send()).map(({ to }) => to[0]).filter(to => [person.email, gone.email].includes(to!)),
    [person.email],
  )
})
