import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startMailbox } from '../../test/mailbox.ts'
import { createMailer } from './mail.ts'

test('every mail says that a machine wrote it, so that no machine answers', async context => {
  const box = await startMailbox()
  context.after(() => box.close())
  const mailer = createMailer({ smtpUrl: box.url, mailFrom: 'Desk <desk@example.com>' })!
  await mailer.send({ id: '1', to: ['ann@example.com'], subject: 'Hello', text: 'Hello' })
  assert.match(box.mails[0]!.text, /^Auto-Submitted: auto-generated\r$/m)
  assert.match(box.mails[0]!.text, /^X-Auto-Response-Suppress: All\r$/m)
})

test('nothing is mailed without SMTP_URL, and SMTP_URL without MAIL_FROM is refused', () => {
  assert.equal(createMailer({ smtpUrl: null, mailFrom: null }), null)
  assert.throws(
    () => createMailer({ smtpUrl: 'smtp://127.0.0.1', mailFrom: null }),
    /^Error: MAIL_FROM: set it too/,
  )
})
