import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeOf } from '../../test/authenticator.ts'
import { startMailingServer } from '../../test/mailing-server.ts'
import { type Browser, joinProject, openBrowser, type Person, password } from '../../test/operator.ts'
import { until } from '../../test/until.ts'
import { makeRecoveryCodes } from './recovery-codes.ts'

const { server, mailbox } = await startMailingServer()

async function joinWithFactor(): Promise<{ person: Person; uri: string; codes: string[] }> {
  const person = await joinProject(server, server.acme)
  const { totpURI: uri, backupCodes: codes } = (await person.auth.post('/two-factor/enable', { password }))
    .body
  assert.equal((await person.auth.post('/two-factor/verify-totp', { code: codeOf(uri) })).status, 200)
  return { person, uri, codes }
}

/** Signs in with the password only. */
async function begin({ email }: Person): Promise<Browser> {
  const browser = openBrowser(server)
  assert.equal((await browser.auth.post('/sign-in/email', { email, password })).body.twoFactorRedirect, true)
  return browser
}

const recover = async (browser: Browser, code: string) =>
  browser.auth.post('/two-factor/verify-backup-code', { code })

const mailTo = (email: string, subject: string) =>
  until(async () =>
    mailbox.mails.find(({ to, text }) => to.includes(email) && text.includes(`Subject: ${subject}`)),
  )

test('the response to a wrong code has the attempts left, counted for app codes and recovery codes together', async () => {
  const { person, uri } = await joinWithFactor()
  const left: number[] = []
  const browser = await begin(person)
  left.push((await browser.auth.post('/two-factor/verify-totp', { code: '000000' })).body.attempts_left)
  left.push((await recover(browser, 'AAAAA-AAAAA')).body.attempts_left)
  const later = await begin(person)
  for (let times = 0; times < 3; times++) left.push((await recover(later, 'AAAAA-AAAAA')).body.attempts_left)
  assert.deepEqual(left, [4, 3, 2, 1, 0])
  const answer = await (await begin(person)).auth.post('/two-factor/verify-totp', { code: codeOf(uri, 1) })
  assert.equal(answer.status, 429)
})

test('a wrong code during set-up does not count as an attempt', async () => {
  const { person } = await joinWithFactor()
  const answer = await person.auth.post('/two-factor/verify-totp', { code: '000000' })
  assert.deepEqual([answer.status, answer.body.attempts_left], [401, undefined])
})

test('accepts a recovery code in lower case, with spaces, without its hyphen and with look-alike letters', async () => {
  const { person, codes } = await joinWithFactor()
  const sloppy = [
    (code: string) => code.toLowerCase(),
    (code: string) => ` ${[...code.replace('-', '')].join(' ')} `,
    (code: string) => code.replace('-', ' – '),
    (code: string) => code.replaceAll('0', 'o').replaceAll('1', 'l').replaceAll('5', 's'),
  ]
  for (const [at, write] of sloppy.entries()) {
    const answer = await recover(person, write(codes[at]!))
    assert.deepEqual(
      [answer.status, answer.body.recovery_codes_left],
      [200, codes.length - at - 1],
      answer.text,
    )
  }
  assert.equal((await recover(person, codes[0]!)).status, 401)
  assert.equal((await person.auth.get('/two-factor/recovery-codes')).body.left, codes.length - sloppy.length)
})

test('recovery codes have no letter that looks like a digit', () => {
  const codes = makeRecoveryCodes()
  assert.equal(new Set(codes).size, 10)
  for (const code of codes) assert.match(code, /^[0-9AC-HJKMNPQRTVWXY]{5}-[0-9AC-HJKMNPQRTVWXY]{5}$/)
})

test('refuses to return the number of recovery codes without a session', async () => {
  assert.equal((await openBrowser(server).auth.get('/two-factor/recovery-codes')).status, 401)
})

test('mails the person when the password changes, a recovery code is used or the second factor is turned off', async () => {
  const { person, codes } = await joinWithFactor()
  const { email } = person
  // Mails are sent one beside the other, so that a later one could arrive first.
  await mailTo(email, 'Your Deskbell account was created')
  await recover(await begin(person), codes[0]!)
  await mailTo(email, 'A recovery code was used')
  const newPassword = 'another horse battery'
  await person.auth.post('/change-password', { currentPassword: 'not this one', newPassword })
  await person.auth.post('/change-password', { newPassword })
  await person.auth.post('/two-factor/disable', { password: 'not this one' })
  assert.equal((await person.auth.post('/two-factor/disable', { password })).status, 200)
  const mail = await mailTo(email, 'Two-factor authentication was turned off')
  assert.match(mail.text, /^Auto-Submitted: auto-generated$/im)
  assert.match(mail.text, /\/account\/security/)
  assert.equal(
    (await person.auth.post('/change-password', { currentPassword: password, newPassword })).status,
    200,
  )
  await mailTo(email, 'Your password was changed')
  const mails = mailbox.mails.filter(({ to }) => to.includes(email))
  assert.deepEqual(
    mails.map(({ text }) => /^Subject: (.*)\r?$/m.exec(text)![1]),
    [
      'Your Deskbell account was created',
      'A recovery code was used',
      'Two-factor authentication was turned off',
      'Your password was changed',
    ],
  )
})
