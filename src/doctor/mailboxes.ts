import type { Config } from '../core/config.ts'
import type { Db } from '../core/db.ts'
import { SetupError } from '../core/setup-error.ts'
import { type Check, check, listSome } from './check.ts'
import { listMailboxStates, type MailboxReport } from './queries.ts'

const maxShown = 20

/** Seconds for which no process has fetched a mailbox. */
const maxIdleSeconds = 120

const refuse = ({ address, project, error }: MailboxReport): never => {
  throw new SetupError(`${address} of ${project}: ${error}`)
}

/** Processes that set ROLES before there was e-mail lack the role. */
function requireFetched(mailboxes: MailboxReport[], { roles }: Pick<Config, 'roles'>): void {
  const idle = mailboxes.filter(({ idle_seconds }) => (idle_seconds ?? 0) > maxIdleSeconds)
  if (idle.length === 0) return
  const names = listSome(idle.map(({ address }) => address))
  const hint = roles.has('channels') ? '' : '; ROLES of this process lacks it'
  throw new SetupError(
    `no process fetches ${names}; start one with the role channels, or add it to ROLES${hint}`,
  )
}

/** A line for all mailboxes, and one for each that does not work. */
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
