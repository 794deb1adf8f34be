import { wordFault } from '../channels/email/mailboxes/fault.ts'
import { withoutTag } from '../channels/email/mailboxes/recipients.ts'
import type { Config } from '../core/config/config.ts'
import { SetupError } from '../core/config/setup-error.ts'
import type { Db } from '../core/db/db.ts'
import { listDue } from '../core/due/due-work.ts'
import { mailFromAddress } from '../core/mail/mail-from.ts'
import { type Check, check, listSome } from './check.ts'
import { listMailboxesAt, listMailboxStates, type MailboxReport } from './queries.ts'

const maxShown = 20

/** Seconds without a process fetching a mailbox before it is reported. */
const maxIdleSeconds = 120

/** Seconds in which a mailbox is fetched completely, unless it has a great many new emails or its server is slow. */
const maxBehindSeconds = 15 * 60

/** Milliseconds that an email waits to be handled before this is reported. */
const maxWaitMs = 5 * 60_000

type Roles = Pick<Config, 'roles'>

const hintOf = ({ roles }: Roles): string =>
  roles.has('channels') ? '' : '; this process does not have it in ROLES'

const isBehind = ({ behind_seconds }: MailboxReport): boolean => (behind_seconds ?? 0) > maxBehindSeconds

function refuse({ address, project, error, send_error, behind_seconds }: MailboxReport): never {
  const fault = error ?? send_error
  const reason = fault
    ? wordFault(fault)
    : `new emails have not been fetched completely for ${Math.round(behind_seconds! / 60)} min: it has a great many of them, or its server is slow`
  throw new SetupError(`${address} (${project}): ${reason}`)
}

/** Installations that set ROLES before mailboxes existed do not have the role `channels`. */
function requireFetched(mailboxes: MailboxReport[], config: Roles): void {
  const idle = mailboxes.filter(({ idle_seconds }) => (idle_seconds ?? 0) > maxIdleSeconds)
  if (idle.length === 0) return
  const names = listSome(idle.map(({ address }) => address))
  throw new SetupError(
    `no process is fetching ${names}; start one with the role channels, or add the role to ROLES${hintOf(config)}`,
  )
}

async function describeWaitingMails(db: Db, config: Roles, isServing: boolean): Promise<string> {
  const [oldest] = isServing ? await listDue(db, ['mails'], -maxWaitMs, 1) : []
  if (!oldest) return 'none is waiting'
  throw new SetupError(
    `received emails have waited for ${Math.round(-oldest.wait / 60_000)} min to be handled; start a process with the role channels, or more of them${hintOf(config)}`,
  )
}

/** Messages that are tried again later are not due. */
async function describeWaitingToSend(db: Db, config: Roles, isServing: boolean): Promise<string> {
  const [oldest] = isServing ? await listDue(db, ['outgoing'], -maxWaitMs, 1) : []
  if (!oldest) return 'none is overdue'
  throw new SetupError(
    `messages have waited for ${Math.round(-oldest.wait / 60_000)} min to be sent; start a process with the role channels, or check the problems and the limits of the mailboxes${hintOf(config)}`,
  )
}

/** A reply to an email of the installation would become a ticket, and an acknowledgement of it another one. */
async function requireOtherSender(db: Db, config: Config): Promise<void> {
  const sender = mailFromAddress(config)
  const [found] = sender ? await listMailboxesAt(db, [sender, withoutTag(sender) ?? sender]) : []
  if (!found) return
  throw new SetupError(
    `MAIL_FROM is ${sender}, which belongs to a mailbox (${found.project}): replies to emails of this installation become tickets; set MAIL_FROM to another address`,
  )
}

/** One line for all mailboxes, and one for each mailbox with a problem. */
export async function examineMailboxes(db: Db, config: Config, isServing: boolean): Promise<Check[]> {
  const mailboxes = [...(await listMailboxStates(db))]
  const paused = mailboxes.filter(({ state }) => state === 'paused')
  const bad = mailboxes.filter(
    one => one.state !== 'paused' && (one.error !== null || one.send_error !== null || isBehind(one)),
  )
  return [
    await check('mailboxes', async () => {
      await requireOtherSender(db, config)
      if (isServing) requireFetched(mailboxes, config)
      return mailboxes.length
        ? `${mailboxes.length}, ${bad.length} with a problem, ${paused.length} paused`
        : 'none'
    }),
    await check('received emails', () => describeWaitingMails(db, config, isServing)),
    await check('outgoing emails', () => describeWaitingToSend(db, config, isServing)),
    ...(await Promise.all(bad.slice(0, maxShown).map(mailbox => check('mailbox', () => refuse(mailbox))))),
  ]
}
