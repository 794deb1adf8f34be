import { addressRuleOf } from '../../../core/http/address.ts'
import { tryMailServer } from '../../../core/mail/mail.ts'
import { type Fault, type TrialCode, withText } from '../mailboxes/fault.ts'
import type { FetchedMailbox } from '../mailboxes/mailbox.ts'
import { describeSmtpFailure, placeOfSmtp } from '../mailboxes/smtp-failure.ts'
import { useSmtp } from '../mailboxes/smtp-login.ts'
import type { TrialDeps } from './try-mailbox.ts'

/** Tests whether a mailbox can send, without sending anything. */

export interface SendingTrial extends Fault<TrialCode> {
  ok: boolean
  text: string
}

const report = (ok: boolean, { code, values }: Fault<TrialCode>): SendingTrial => ({
  ok,
  ...withText({ code, values }),
})

async function tryInstallation(
  { config: { smtpUrl } }: TrialDeps,
  { address }: FetchedMailbox,
): Promise<SendingTrial> {
  if (!smtpUrl) return report(false, { code: 'no_smtp_url', values: {} })
  const { hostname: host, port, username: user } = new URL(smtpUrl)
  try {
    await tryMailServer(smtpUrl)
    return report(true, { code: 'can_send', values: { host, address } })
  } catch (error) {
    const place = {
      host,
      port: Number(port) || 25,
      user,
      address,
      login: user ? 'password' : 'none',
    } as const
    return report(false, describeSmtpFailure(error, place))
  }
}

async function trySmtp(deps: TrialDeps, mailbox: FetchedMailbox): Promise<SendingTrial> {
  const { host, address } = placeOfSmtp(mailbox)
  const mayReach = addressRuleOf(deps.config).isAllowed
  try {
    await useSmtp({ ...deps, mayReach }, mailbox, transport => transport.verify())
    return report(true, { code: 'can_send', values: { host, address } })
  } catch (error) {
    return report(false, describeSmtpFailure(error, placeOfSmtp(mailbox)))
  }
}

/** Logs in to the server for sending. Returns null if the mailbox does not send. */
export async function trySending(deps: TrialDeps, mailbox: FetchedMailbox): Promise<SendingTrial | null> {
  if (mailbox.sending === 'smtp') return trySmtp(deps, mailbox)
  return mailbox.sending === 'installation' ? tryInstallation(deps, mailbox) : null
}
