import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { unique } from '../../test/cast.ts'
import { assertEnvelope } from '../../test/client.ts'
import { joinCast, joinProject, openBrowser, type Person, password } from '../../test/operator.ts'
import { startServer, type TestServer } from '../../test/server.ts'

/** A link is valid only while its creator has the right to create it. */

let server: TestServer
let olga: Person
let rita: Person
before(async () => {
  server = await startServer({ delivers: false })
  ;({ olga, rita } = await joinCast(server))
})
after(() => server.close())

const join = (role: 'admin' | 'operator') => joinProject(server, server.acme, { role, name: 'Nina' })
const tokenOf = (url: string): string => url.split('/link/')[1]!

async function resetBy(maker: Person, person: Person): Promise<string> {
  const { status, body, text } = await maker.api.post(`/operators/${person.id}/reset`)
  assert.equal(status, 201, text)
  return tokenOf(body.url)
}

async function inviteBy(maker: Person, email = `${unique()}@example.com`) {
  const { status, body, text } = await maker.api.post('/operators', { name: 'Nina', email })
  assert.equal(status, 201, text)
  return { id: body.operator.id as string, token: tokenOf(body.link.url) }
}

const fresh = 'another horse battery'
const open = (
  token: string,
  body: object = { name: 'Nina', password: fresh },
  browser = openBrowser(server),
) => browser.own.post(`/links/${token}`, body)

async function assertWithdrawn(token: string): Promise<void> {
  assertEnvelope(await openBrowser(server).own.get(`/links/${token}`), 404, 'LINK_NOT_FOUND')
  assertEnvelope(await open(token), 404, 'LINK_NOT_FOUND')
}

const changeRole = async (id: string, role: string) =>
  assert.equal((await olga.api.patch(`/operators/${id}`, { role })).status, 200)

test('a reset link is invalid once its person has a higher role than its creator', async () => {
  const [admin, person] = [await join('admin'), await join('operator')]
  const token = await resetBy(admin, person)
  await changeRole(person.id, 'owner')
  await assertWithdrawn(token)
  assert.equal((await person.own.get('/me')).status, 200)
  const login = { email: person.email, password }
  assert.equal((await openBrowser(server).auth.post('/sign-in/email', login)).status, 200)
})

test('a reset link is invalid once its person is in a project without its creator', async () => {
  const person = await join('operator')
  const token = await resetBy(olga, person)
  const invited = await inviteBy(rita, person.email)
  assert.equal((await open(invited.token, {}, person)).status, 200)
  await assertWithdrawn(token)
})

test('links are invalid once their creator becomes an operator or is removed', async () => {
  for (const leave of [
    (admin: Person) => changeRole(admin.id, 'operator'),
    async (admin: Person) => assert.equal((await olga.api.delete(`/operators/${admin.id}`)).status, 204),
  ]) {
    const [admin, person] = [await join('admin'), await join('operator')]
    const [reset, invitation] = [await resetBy(admin, person), await inviteBy(admin)]
    await leave(admin)
    await assertWithdrawn(reset)
    await assertWithdrawn(invitation.token)
  }
})

test("an admin's invitation cannot create an owner, but an owner's can", async () => {
  const { id, token } = await inviteBy(await join('admin'))
  await changeRole(id, 'owner')
  await assertWithdrawn(token)
  const again = await olga.api.post(`/operators/${id}/invitation`)
  assert.equal((await open(tokenOf(again.body.link.url))).status, 200)
})

test('a link stays valid after other changes while its creator may create it', async () => {
  const [admin, person] = [await join('admin'), await join('operator')]
  const [reset, invitation] = [await resetBy(admin, person), await inviteBy(admin)]
  await changeRole(person.id, 'admin')
  await changeRole(invitation.id, 'admin')
  assert.equal((await open(reset)).status, 200)
  assert.equal((await open(invitation.token)).status, 200)
})
