import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { startMailbox } from '../../test/mailbox.ts'
import { type Browser, joinProject, openBrowser, type Person, password } from '../../test/operator.ts'
import { startServer, type TestServer } from '../../test/server.ts'
import { until } from '../../test/until.ts'

/** Strangers cannot lock a person out. Requests come from many addresses, through a proxy. */

let server: TestServer
let mailbox: Awaited<ReturnType<typeof startMailbox>>
let omar: Person
before(async () => {
  mailbox = await startMailbox()
  const config = { smtpUrl: mailbox.url, mailFrom: 'desk@example.com', trustProxy: ['127.0.0.0/8'] }
  server = await startServer({ config, delivers: false })
  omar = await joinProject(server, server.acme)
})
after(async () => {
  await server.close()
  await mailbox.close()
})
beforeEach(() => server.db`delete from sign_in_attempts`)

const signIn = async (address: string, given = password, browser: Browser = openBrowser(server)) => {
  const headers = { 'x-forwarded-for': address }
  return (await browser.auth.post('/sign-in/email', { email: omar.email, password: given }, { headers }))
    .status
}

/** Records this many wrong passwords, as if they came from as many addresses. */
const guessEverywhere = (count: number) =>
  server.db`insert into sign_in_attempts (subject, count, locked_until) values (${`account:${omar.email}`}, ${count}, now())
    on conflict (subject) do update set count = excluded.count`

/** Records three more wrong passwords. */
const guessMore = () => server.db`update sign_in_attempts set count = count + 3`

test('wrong passwords from one address block the account for that address only', async () => {
  assert.equal(await signIn('203.0.113.1', 'not this one'), 401)
  await guessMore()
  assert.equal(await signIn('203.0.113.1', 'not this one'), 401)
  assert.equal(await signIn('203.0.113.1'), 429)
  assert.equal(await signIn('203.0.113.2'), 200)
  assert.equal(await signIn('203.0.113.1'), 429)
})

test('a hundred wrong passwords from many addresses block an account, except in a browser that has signed in to it before', async () => {
  const known = openBrowser(server)
  assert.equal(await signIn('203.0.113.3', password, known), 200)
  known.cookies.delete('deskbell.session_token')
  await guessEverywhere(98)
  assert.equal(await signIn('203.0.113.4', 'not this one'), 401)
  assert.equal(await signIn('203.0.113.5', 'not this one'), 401)
  assert.equal(await signIn('203.0.113.6'), 429)
  assert.equal(await signIn('203.0.113.6', password, known), 200)
})

test('a browser that has signed in before has five attempts too, from any address', async () => {
  const known = openBrowser(server)
  assert.equal(await signIn('203.0.113.7', password, known), 200)
  assert.equal(await signIn('203.0.113.8', 'not this one', known), 401)
  await guessMore()
  assert.equal(await signIn('203.0.113.9', 'not this one', known), 401)
  assert.equal(await signIn('203.0.113.20', password, known), 429)
})

test('a form without a password neither clears the count of wrong passwords nor marks the browser as known', async () => {
  assert.equal(await signIn('203.0.113.40', 'not this one'), 401)
  const attempts = () => server.db`select subject, count from sign_in_attempts order by subject`
  const before = await attempts()
  const browser = openBrowser(server)
  const headers = { 'x-forwarded-for': '203.0.113.40' }
  for (const form of [{}, { password: 1 }]) {
    const answer = await browser.auth.post('/sign-in/email', { email: omar.email, ...form }, { headers })
    assert.equal(answer.status, 400, answer.text)
  }
  assert.deepEqual([...browser.cookies.keys()], [])
  assert.deepEqual(await attempts(), before)
})

test('the cookie of a known browser is valid only for its own account and with its signature', async () => {
  const nina = await joinProject(server, server.acme, { name: 'Nina' })
  const other = openBrowser(server)
  const headers = { 'x-forwarded-for': '203.0.113.30' }
  await other.auth.post('/sign-in/email', { email: nina.email, password }, { headers })
  await guessEverywhere(99)
  assert.equal(await signIn('203.0.113.31', 'not this one'), 401)
  assert.equal(await signIn('203.0.113.32', password, other), 429)
  const [, kept] = [...other.cookies].find(([name]) => name === 'deskbell.known_browser')!
  other.cookies.set('deskbell.known_browser', kept.replace(/\..*/, '.forged.signature'))
  assert.equal(await signIn('203.0.113.33', password, other), 429)
})

const ask = (address: string) =>
  openBrowser(server).own.post('/resets', { email: omar.email }, { headers: { 'x-forwarded-for': address } })
const links = () =>
  mailbox.mails.flatMap(({ to, text }) =>
    to.includes(omar.email) ? (/\/link\/([\w-]{43})/.exec(text)?.[1] ?? []) : [],
  )

test('requests of a stranger for links do not use up those of the person', async () => {
  const before = links().length
  for (let i = 0; i < 6; i++) await ask('203.0.113.40')
  await until(async () => links().length === before + 3)
  await ask('203.0.113.41')
  await until(async () => links().length === before + 4)
})

test('a mailed link stays valid when a stranger requests another one, until a new password is chosen', async () => {
  const before = links().length
  await ask('203.0.113.42')
  await until(async () => links().length > before)
  await ask('203.0.113.43')
  await until(async () => links().length > before + 1)
  const [first, second] = links().slice(before)
  const open = async (token: string) =>
    (await openBrowser(server).own.post(`/links/${token}`, { password: 'another horse battery' })).status
  assert.equal(await open(first!), 200)
  assert.equal(await open(second!), 404)
})

test('however many requests there are for one person, a mail is sent at least every 15 minutes', async () => {
  const before = links().length
  await server.db`insert into sign_in_attempts (subject, count, locked_until) values (${`resetAccount:${omar.email}`}, 1000, now())`
  await ask('203.0.113.50')
  await until(async () => links().length === before + 1)
  const [row] = await server.db`
    select locked_until <= now() + interval '15 minutes' as is_soon from sign_in_attempts
    where subject = ${`resetAccount:${omar.email}`} and locked_until > now()`
  assert.deepEqual(row, { is_soon: true })
})
