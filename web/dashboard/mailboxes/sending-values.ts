import { pageText } from '../core/page-text.ts'
import type { DetectedServer, Mailbox, MailboxChange } from './queries.ts'

/** The server through which a mailbox sends. */

export interface SendingValues extends Record<string, unknown> {
  sending: Mailbox['sending']
  smtp: NonNullable<Mailbox['smtp']> & { password: string }
}

type Detected = Pick<DetectedServer, 'smtp'>

/** For a mailbox that does not send yet: the server that was found. */
export const newSendingValues = ({ smtp }: Detected, auth: SendingValues['smtp']['auth']): SendingValues => ({
  sending: 'smtp',
  smtp: { ...(smtp ?? { host: '', port: 465, security: 'tls' }), user: '', auth, password: '' },
})

export const sendingValuesOf = (
  { address, imap, sending, smtp }: Mailbox,
  detected: Detected,
): SendingValues => {
  if (smtp) return { sending, smtp: { ...smtp, password: '' } }
  const { smtp: suggested } = newSendingValues(detected, imap ? 'imap' : 'password')
  return { sending, smtp: { ...suggested, user: imap ? '' : address } }
}

export function sendingBodyOf({ sending, smtp }: SendingValues): Pick<MailboxChange, 'sending' | 'smtp'> {
  if (sending !== 'smtp') return { sending }
  const { user, password, auth, host, ...server } = smtp
  const login = auth === 'password' ? { ...(user && { user }), ...(password && { password }) } : {}
  return { sending, smtp: { ...server, host: host.trim(), auth, ...login } }
}

const ifSmtp =
  <V extends SendingValues>(rule: (value: string, values: V) => string | null) =>
  (value: string, values: V): string | null =>
    values.sending === 'smtp' ? rule(value, values) : null

export const sendingRules = {
  smtp: {
    host: ifSmtp(value => (value.trim() ? null : pageText.mailboxSending.hostNeeded)),
  },
}

/** Additionally for a new mailbox, which has no stored password. */
export const newSendingRules = {
  smtp: {
    ...sendingRules.smtp,
    password: ifSmtp((value, { smtp }) =>
      smtp.auth === 'password' && !value ? pageText.mailboxSending.passwordNeeded : null,
    ),
  },
}
