import type { MailboxCaller } from '../../channels/email/mailboxes/mailboxes.ts'
import { UserError } from '../../core/user-error.ts'
import type { CliSession } from '../session.ts'

export const mailboxCallerOf = (projectId: string): MailboxCaller => ({
  project: { id: projectId },
  actor: { type: 'cli' },
})

/** The project that a mailbox belongs to. */
export async function findProjectOf({ db }: CliSession, id: string): Promise<string> {
  const [row] = await db<{ project_id: string }[]>`
    select project_id from mailboxes where project_id is not null and id::text = ${id}`
  if (!row)
    throw new UserError(
      `Mailbox ${id} not found; list mailboxes with bin/deskbell mailbox list --project PROJECT`,
    )
  return row.project_id
}
