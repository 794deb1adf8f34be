import assert from 'node:assert/strict'
import { sendNotices } from '../../src/channels/email/notices/send-notices.ts'
import { createMailer } from '../../src/core/mail/mail.ts'
import type { Member } from '../cast.ts'
import { type Delivered, startMailbox } from '../mailbox.ts'
import type { Person } from '../operator.ts'
import type { TestServer } from '../server.ts'

/** Emails to operators about their tickets. */

export interface NoticeMail extends Delivered {
  subject: string
  messageId: string
  /** Null if there is no reply address. */
  replyTo: string | null
}

const headerOf = (text: string, name: string): string | null =>
  new RegExp(`^${name}: (?:<)?(.*?)>?$`, 'm').exec(text.replaceAll(/\r\n(?=[ \t])/g, ''))?.[1]?.trim() ?? null

const parse = (mail: Delivered): NoticeMail => ({
  ...mail,
  subject: headerOf(mail.text, 'Subject')!,
  messageId: headerOf(mail.text, 'Message-ID')!,
  replyTo: headerOf(mail.text, 'Reply-To'),
})

/** Starts a mail server for the installation's own emails, until the tests of the file have ended. */
export async function startNotices(server: TestServer, context: { after(run: () => unknown): void }) {
  const state = { isAway: false }
  const inbox = await startMailbox(() => state.isAway)
  context.after(() => inbox.close())
  const mailer = createMailer({ smtpUrl: inbox.url, mailFrom: 'Desk <desk@example.com>' })!

  /** Makes all notices of a project due. */
  const wait = ({ id }: Pick<Member, 'id'> = server.acme) => server.db`
    update operator_notices set due_at = now() where project_id = ${id}`

  /** Sends what is due, and returns the new emails. */
  async function send({ id }: Pick<Member, 'id'> = server.acme): Promise<NoticeMail[]> {
    const before = inbox.mails.length
    while ((await sendNotices(server.db, id, { ...server, mailer })) > 0);
    return inbox.mails.slice(before).map(parse)
  }

  return {
    inbox,
    state,
    send,
    wait,
    async sendAll(member: Pick<Member, 'id'> = server.acme): Promise<NoticeMail[]> {
      await wait(member)
      return send(member)
    },
    async sendOne(): Promise<NoticeMail> {
      await wait()
      const mails = await send()
      assert.equal(mails.length, 1, JSON.stringify(mails.map(({ to, subject }) => [to, subject])))
      return mails[0]!
    },
  }
}

export type Notices = Awaited<ReturnType<typeof startNotices>>

/** Turns kinds of emails on or off, such as `waiting`. */
export const chooseEmails = ({ own }: Person, kinds: Record<string, boolean>) =>
  own.patch('/me', {
    settings: {
      notifications: Object.fromEntries(
        Object.entries(kinds).map(([kind, isOn]) => [`${kind}_by_email`, isOn]),
      ),
    },
  })
