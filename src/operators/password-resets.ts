import { foldEmail } from '../core/email.ts'
import type { OutgoingMail } from '../core/mail/mail.ts'
import { createLink, findUserByEmail, linkUrlOf, type SecurityChange, spendAttempts } from '../users/users.ts'
import type { OperatorDeps } from './deps.ts'
import { accountCreatedMail, resetMail, securityMail, trySendMail } from './mails.ts'

/**
 * Does not reveal whether the address is known, neither in the response nor by its duration. However often a reset is requested, a
 * person gets at most one mail in 15 minutes, and links in earlier mails still work.
 */
async function mailReset(
  { db, mailer, log, config }: OperatorDeps,
  sent: string,
  asker: string,
): Promise<void> {
  const email = foldEmail(sent)
  const { wait } = await spendAttempts(db, [
    ['resetPair', email, asker],
    ['resetAddress', asker],
    ['resetAccount', email],
  ])
  const user = wait ? null : await findUserByEmail(db, sent)
  if (!user || !mailer) return
  const { token } = await createLink(db, { purpose: 'reset', user_id: user.id, email: user.email })
  await trySendMail(mailer, resetMail(user.email, linkUrlOf(config.publicUrl, token)), log)
}

export function startReset(deps: OperatorDeps, sent: string, asker: string): void {
  if (deps.config.oidcOnly === 'on') return
  const work = mailReset(deps, sent, asker)
    .catch(error => deps.log.error({ err: error }, 'A reset link could not be made'))
    .finally(() => deps.underWay.delete(work))
  deps.underWay.add(work)
}

type Mailing = Pick<OperatorDeps, 'mailer' | 'log' | 'config' | 'underWay'>

/** Sends the mail after the response, so that a slow mail server delays nobody. */
function tell({ mailer, log, underWay }: Mailing, mail: OutgoingMail): void {
  const work = trySendMail(mailer, mail, log).finally(() => underWay.delete(work))
  underWay.add(work)
}

export const mailSecurityChange = (deps: Mailing, email: string, change: SecurityChange): void =>
  tell(deps, securityMail(email, change, deps.config.publicUrl))

/** Tells the owner of the address about the new account, because somebody else may have received the link. */
export const mailExistingAccount = (deps: OperatorDeps, email: string): void =>
  tell(deps, accountCreatedMail(email, deps.config.publicUrl))
