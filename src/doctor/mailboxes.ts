import { wordFault } from '../channels/email/mailboxes/fault.ts'
import type { Config } from '../core/config.ts'
import type { Db } from '../core/db.ts'
import { SetupError } from '../core/setup-error.ts'
import { type Check, check, listSome } from './check.ts'
import { listMailboxStates, type MailboxReport } from './queries.ts'

const maxShown = 20

/** Seconds without a process fetching a mailbox before it is reported. */
const maxIdleSeconds = 120

const refuse = ({ address, project, error }: MailboxReport): never => {
  throw new SetupError(`${address} (${project}): ${wordFault(error!)}`)
}

/** Installations that set ROLES before mailboxes existed do not have the role `channels`. */
function requireFetched(mailboxes: MailboxReport[], { roles }: Pick<Config, 'roles'>): void {
  const idle = mailboxes.filter(({ idle_seconds }) => (idle_seconds ?? 0) > maxIdleSeconds)
  if (idle.length === 0) return
  const names = listSome(idle.map(({ address }) => address))
  const hint = roles.has('channels') ? '' : '; this process does not have it in ROLES'
  throw new SetupError(
    `no process is fetching ${names}; start one with the role channels, or add the role to ROLES${hint}`,
  )
}

/** One line for all mailboxes, and one for each mailbox with an error. */
export async function examineMailboxes(db: Db, config: Config, isServing: boolean): Promise<Check[]> {
  const mailboxes = [...(await listMailboxStates(db))]
  const broken = mailboxes.filter(({ error, state }) => error !== null && state !== 'paused')
  return [
    await check('mailboxes', () => {
      if (isServing) requireFetched(mailboxes, config)
      return mailboxes.length ? `${mailboxes.length}, ${broken.length} with an error` : 'none'
    }),
    ...(await Promise.all(broken.slice(0, maxShown).map(mailbox => check('mailbox', () => refuse(mailbox))))),
  ]
}
