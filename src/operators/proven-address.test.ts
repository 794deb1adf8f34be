import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { unique } from '../../test/cast.ts'
import { startMailingServer } from '../../test/mailing-server.ts'
import { joinProject, openBrowser, type Person, password } from '../../test/operator.ts'
import { until } from '../../test/until.ts'
import { deleteSecondFactor } from '../users/users.ts'

const { server, mailbox } = await startMailingServer()
let olga: Person
before(async () => {
  olga = await joinProject(server, server.acme, { name: 'Olga', role: 'owner' })
})

const textTo = (email: string, pattern: RegExp) =>
  until(async () =>
    mailbox.mails
      .filter(({ to }) => to.includes(email))
      .map(({ text }) => text)
      .find(text => pattern.test(text)),
  )
const link = /\/link\/([\w-]{43})/
const mailedTo = async (email: string) => link.exec(await textTo(email, link))![1]!

async function invite() {
  const email = `${unique()}@example.com`
  const { body } = await olga.api.post('/operators', { name: 'Nina', email })
  return { email, id: body.operator.id, handed: link.exec(body.link.url)![1]! }
}

const accept = (token: string, browser = openBrowser(server)) =>
  browser.own.post(`/links/${token}`, { name: 'Nina', password })

async function isProven(email: string): Promise<boolean> {
  const [row] = await server.db`select email_verified from users where email = ${email}`
  return row!.email_verified
}

async function addPasskey(email: string): Promise<void> {
  await server.db`
    insert into passkeys (id, user_id, name, public_key, credential_id, counter, device_type, backed_up)
    select uuidv7(), id, 'Laptop', 'key', ${unique()}, 0, 'singleDevice', false from users where email = ${email}`
}

test('a mailed invitation proves the address of the new account; one that was handed over does not', async () => {
  const [mailed, handed] = [await invite(), await invite()]
  assert.equal((await accept(await mailedTo(mailed.email))).status, 200)
  assert.equal((await accept(handed.handed)).status, 200)
  assert.deepEqual([await isProven(mailed.email), await isProven(handed.email)], [true, false])
  assert.equal((await accept(mailed.handed)).status, 410)
})

test('a new member is in the audit log with the address, which gets a mail about the new account', async () => {
  const { email, id } = await invite()
  await accept(await mailedTo(email))
  const { body } = await olga.api.get('/audit?action=operator.joined')
  const entry = body.items.find((one: { target_id: string }) => one.target_id === id)
  assert.deepEqual(entry.detail, { email, email_is_proven: true })
  await textTo(email, /Your Deskbell account was created/)
})

test('a reset keeps passkeys, and does not sign in a person who has one', async () => {
  const person = await joinProject(server, server.acme)
  await addPasskey(person.email)
  await openBrowser(server).own.post('/resets', { email: person.email })
  const browser = openBrowser(server)
  const answer = await accept(await mailedTo(person.email), browser)
  assert.deepEqual(answer.body, { project_id: null, is_signed_in: false })
  assert.equal((await browser.own.get('/me')).status, 401)
  const count = () =>
    server.db`select from passkeys p join users u on u.id = p.user_id where u.email = ${person.email}`
  assert.equal((await count()).count, 1)
  const [user] = await server.db<{ id: string }[]>`select id from users where email = ${person.email}`
  await deleteSecondFactor(server.db, user!.id)
  assert.equal((await count()).count, 0)
  const { body } = await olga.api.get('/audit?action=operator.password_changed')
  assert.partialDeepStrictEqual(body.items[0], { target_id: person.id, detail: { link_was_mailed: true } })
})

test("a person who accepts with an account of another address is listed with the account's address", async () => {
  const rita = await joinProject(server, server.rival, { name: 'Rita' })
  const { id, handed } = await invite()
  assert.equal((await rita.own.post(`/links/${handed}`, {})).status, 200)
  assert.equal((await olga.api.get(`/operators/${id}`)).body.email, rita.email)
})

test("a person keeps the invitation's address if another invitation has the account's address", async () => {
  const rita = await joinProject(server, server.rival, { name: 'Rita' })
  await olga.api.post('/operators', { name: 'Rita', email: rita.email })
  const { id, email, handed } = await invite()
  assert.equal((await rita.own.post(`/links/${handed}`, {})).status, 200)
  assert.equal((await olga.api.get(`/operators/${id}`)).body.email, email)
})
