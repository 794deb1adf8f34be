import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startMailbox } from '../../../test/mailbox.ts'
import { createMailer } from './mail.ts'

test('every mail is marked as automatic, so that automatic responders do not reply', async context => {
  const box = await startMailbox()
  context.after(() => box.close())
  const mailer = createMailer({ smtpUrl: box.url, mailFrom: 'Desk <desk@example.com>' })!
  await mailer.send({ id: '1', to: ['ann@example.com'], subject: 'Hello', text: 'Hello' })
  assert.match(box.mails[0]!.text, /^Auto-Submitted: auto-generated\r$/m)
  assert.match(box.mails[0]!.text, /^X-Auto-Response-Suppress: All\r$/m)
})

test("a mail about a project has the project's name as sender, and other mails have that of MAIL_FROM", async context => {
  const box = await startMailbox()
  context.after(() => box.close())
  const send = (mailFrom: string, sender?: string) =>
    createMailer({ smtpUrl: box.url, mailFrom })!.send({
      id: '1',
      to: ['ann@example.com'],
      subject: 'Hello',
      text: 'Hello',
      sender,
    })
  await send('Desk <desk@example.com>', 'Velo, Works')
  await send('"The Desk" <desk@example.com>')
  await send('desk@example.com', 'Velo')
  await send('desk@example.com')
  assert.deepEqual(
    box.mails.map(({ text }) => /^From: (.*)\r$/m.exec(text)![1]),
    [
      '"Velo, Works" <desk@example.com>',
      'The Desk <desk@example.com>',
      'Velo <desk@example.com>',
      'desk@example.com',
    ],
  )
})

test('sends no mail without SMTP_URL, and refuses SMTP_URL without MAIL_FROM', () => {
  assert.equal(createMailer({ smtpUrl: null, mailFrom: null }), null)
  assert.throws(
    () => createMailer({ smtpUrl: 'smtp://127.0.0.1', mailFrom: null }),
    /^Error: MAIL_FROM: set it too/,
  )
})
