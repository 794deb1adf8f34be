import { until } from '../../test/until.ts'
import { round } from '../figures.ts'
import { memoryOf } from '../process.ts'
import { fillMaildir, makeUsualMail } from './mails.ts'
import { addImapMailbox, countHandled, deliver, type Stage, saveMails, tell } from './stage.ts'

/** Connects a mailbox with many emails, and delivers one as soon as the server has opened the folder. */
export async function folder(stage: Stage, { existing }: { existing: number }): Promise<boolean> {
  const { db, server, dovecot } = stage
  fillMaildir(dovecot.maildir('many'), existing)
  const handled = await countHandled(stage)
  const paths = saveMails(stage, [makeUsualMail('The first new one')])
  const before = memoryOf(server)
  const begun = performance.now()
  const id = await addImapMailbox(stage, 'many')
  await until(async () => (await db`select from mailbox_folders where mailbox_id = ${id}`).length, 300)
  const opened = performance.now()
  await deliver(stage, dovecot.lmtpPort, 'many@example.com', paths)
  let highest = before
  await until(async () => {
    highest = Math.max(highest, memoryOf(server))
    return (await countHandled(stage)) > handled
  }, 120)
  const seconds = (performance.now() - opened) / 1_000
  const measured = `${existing} emails: a ticket ${round(seconds, 2)} s after the folder was opened (which took ${round((opened - begun) / 1_000, 1)} s), resident memory +${round(highest - before, 0)} MiB`
  return tell('M4', measured, seconds <= 5 && highest - before <= 10)
}
