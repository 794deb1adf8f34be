import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeOf } from '../../test/authenticator.ts'
import { startMailingServer } from '../../test/mailing-server.ts'
import { joinProject, openBrowser, password } from '../../test/operator.ts'
import { until } from '../../test/until.ts'
import { createLink } from '../users/users.ts'

const { server, mailbox } = await startMailingServer()

const fresh = 'another horse battery'
const textTo = (email: string, pattern: RegExp) =>
  until(async () =>
    mailbox.mails
      .filter(({ to }) => to.includes(email))
      .map(({ text }) => text.replaceAll('=3D', '='))
      .find(text => pattern.test(text)),
  )

test('a mailed reset keeps the second factor, does not sign in, and is reported to the person by mail', async () => {
  const person = await joinProject(server, server.acme)
  const { body } = await person.auth.post('/two-factor/enable', { password })
  assert.equal(
    (await person.auth.post('/two-factor/verify-totp', { code: codeOf(body.totpURI) })).status,
    200,
  )
  await openBrowser(server).own.post('/resets', { email: person.email })
  const link = /\/link\/([\w-]{43})/
  const token = link.exec(await textTo(person.email, link))![1]!
  const browser = openBrowser(server)
  const answer = await browser.own.post(`/links/${token}`, { password: fresh })
  assert.deepEqual(answer.body, { project_id: null, is_signed_in: false })
  assert.equal((await browser.own.get('/me')).status, 401)
  const entry = await browser.auth.post('/sign-in/email', { email: person.email, password: fresh })
  assert.equal(entry.body.twoFactorRedirect, true, entry.text)
  await textTo(person.email, /Your password was changed/)
})

test('a reset requested by a stranger does not invalidate a link from the command line', async () => {
  const person = await joinProject(server, server.acme)
  const { id } = (await person.own.get('/me')).body.user
  const { token } = await createLink(server.db, { purpose: 'reset', user_id: id })
  await openBrowser(server).own.post('/resets', { email: person.email })
  await textTo(person.email, /\/link\/([\w-]{43})/)
  assert.equal((await openBrowser(server).own.post(`/links/${token}`, { password: fresh })).status, 200)
})
