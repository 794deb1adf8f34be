import type { TestServer } from '../server.ts'

/** Records that a message was sent by email, without an SMTP server. */
export async function pretendSent(
  { db }: Pick<TestServer, 'db'>,
  messageId: string,
  { mailboxId = null, to }: { mailboxId?: string | null; to: string[] },
): Promise<void> {
  const [{ project_id }] = (await db`
    update messages set delivery_status = 'sent', delivery_error = null, delivery_updated_at = now()
    where id = ${messageId} returning project_id`) as unknown as [{ project_id: string }]
  await db`delete from outgoing_queue where message_id = ${messageId}`
  await db`delete from mail_recipients where message_id = ${messageId}`
  await db`
    insert into mail_recipients (project_id, message_id, address, kind, status)
    select ${project_id}, ${messageId}, address, 'to', 'sent' from unnest(${to as never}::text[]) address`
  await db`
    insert into outgoing_emails (project_id, message_id, mailbox_id, sent_at) values (${project_id}, ${messageId}, ${mailboxId}, now())
    on conflict (project_id, message_id) do update set mailbox_id = excluded.mailbox_id, sent_at = now()`
}

export const listRecipientsOf = ({ db }: Pick<TestServer, 'db'>, messageId: string) => db<
  { address: string; status: string; code: string | null; words: string | null }[]
>`
  select address, status, code, words from mail_recipients where message_id = ${messageId} order by address`
