import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { openFileContext } from '../../../../test/file-context.ts'
import { openMailbox } from '../../../../test/mail/receiving.ts'
import {
  findDelivery,
  findSendFault,
  postEmail,
  quickTimes,
  sendMails,
  waitForDelivery,
} from '../../../../test/mail/sending.ts'
import { startServer, type TestServer } from '../../../../test/server.ts'
import { refuseWith, type Submission, startSubmission } from '../../../../test/submission.ts'
import { startTokenServer, type TokenServer } from '../../../../test/token-server.ts'
import { until } from '../../../../test/until.ts'

/** Mailboxes that log in to an SMTP server with a token. */

const user = 'desk@example.com'
const context = openFileContext()
let server: TestServer
let tokens: TokenServer
let submission: Submission

async function isActive(token: string): Promise<boolean> {
  const response = await fetch(tokens.introspectionUrl, {
    method: 'POST',
    body: new URLSearchParams({ token }),
  })
  return ((await response.json()) as { active: boolean }).active
}

before(async () => {
  server = await startServer({ delivers: false })
  context.after(() => server.close())
  tokens = await startTokenServer(context, user)
  submission = await startSubmission(context, {
    authMethods: ['XOAUTH2'],
    onAuth({ username, accessToken = '' }, _session, done) {
      submission.logins.push(`${username} ${accessToken}`)
      isActive(accessToken).then(
        isKnown =>
          isKnown
            ? done(null, { user: username })
            : done(refuseWith(535, '5.7.3 Authentication unsuccessful')),
        done,
      )
    },
  })
})

const openTokenMailbox = (address: string) =>
  openMailbox({ server }, address, {
    incoming: 'imap',
    imap: {
      ...{ host: '127.0.0.1', port: 1, security: 'none', user, auth: 'oauth' },
      oauth: {
        ...{ provider: 'custom', client_id: 'desk', token_url: tokens.tokenUrl },
        ...{ authorize_url: tokens.authorizeUrl, refresh_token: tokens.connect() },
      },
    },
    ...{ sending: 'smtp', saves_sent: false },
    smtp: { host: '127.0.0.1', port: submission.port, security: 'none', auth: 'imap' },
  })

/** Each email is sent on a separate connection, and so with a separate login. */
const withLogins = { ...quickTimes, idleMs: 0 }

test('sends with the access token of the mailbox, and gets a new one if it is rejected', async t => {
  const mailbox = await openTokenMailbox('first@example.com')
  sendMails(t, server, withLogins)
  const { issued } = tokens
  await waitForDelivery(server, await postEmail(server, mailbox))
  await waitForDelivery(server, await postEmail(server, mailbox))
  assert.equal(tokens.issued, issued + 1)
  assert.equal(new Set(submission.logins).size, 1)
  assert.ok(submission.logins[0]!.startsWith(`${user} `))
  tokens.revokeAccess()
  const id = await postEmail(server, mailbox)
  assert.partialDeepStrictEqual(await waitForDelivery(server, id), {
    status: 'sent',
    error: null,
    attempts: 1,
  })
  assert.equal(tokens.issued, issued + 2)
  assert.equal(submission.mails.length, 3)
})

test('if access is revoked, the mailbox says so, and its emails wait until someone signs in again', async t => {
  const mailbox = await openTokenMailbox('second@example.com')
  sendMails(t, server, withLogins)
  await waitForDelivery(server, await postEmail(server, mailbox))
  tokens.revoke()
  const id = await postEmail(server, mailbox)
  const fault = await until(async () => {
    const found = await findSendFault(server, mailbox)
    return found.code && found
  })
  assert.equal(fault.code, 'access_revoked')
  assert.partialDeepStrictEqual(await findDelivery(server, id), { status: 'pending', attempts: 0 })
})
