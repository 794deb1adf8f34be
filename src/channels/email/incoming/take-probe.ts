import type { Tx } from '../../../events/transaction.ts'
import { type Authentication, readFirstAuthentication } from '../../../mail/authentication.ts'
import { readDeliveryReport } from '../../../mail/bounce.ts'
import { addresseesOf } from '../../../mail/classify.ts'
import type { Mail } from '../../../mail/mail.ts'
import { type ProbeToken, readProbeToken } from '../../../mail/tokens.ts'
import {
  type ProbeRow,
  updatePlusRefused,
  updatePlusWorks,
  updateProbeArrived,
} from '../mailboxes/probe-queries.ts'
import type { ClaimedMail } from './incoming-queries.ts'
import type { ProjectFacts } from './project-facts.ts'

/** Recognises a mailbox's test emails when they arrive, and the delivery reports about them. */

export interface ReceivedProbe {
  token: ProbeToken
  event: 'arrived' | 'refused' | 'delayed'
  /** The mail server's reason for refusing it; empty in all other cases. */
  words: string
}

const findToken = (key: Buffer, texts: string[]): ProbeToken | null => {
  const found = texts.map(text => readProbeToken(key, text)).filter(token => token !== null)
  return found.find(({ kind }) => kind === 'plus') ?? found[0] ?? null
}

/** A copy from the Sent folder has not passed through a mail server. */
const hasPassedServer = ({ headers }: Mail): boolean => headers.all.received !== undefined

/** Null for all other emails. Nobody else can make such a token, because it contains a MAC. */
export function readProbe(
  key: Buffer,
  claimed: Pick<ClaimedMail, 'envelope_to'>,
  mail: Mail,
  { allAddresses }: Pick<ProjectFacts, 'allAddresses'>,
): ReceivedProbe | null {
  const { from, messageId, references } = mail.headers
  if (from && allAddresses.includes(from.address.toLowerCase())) {
    const ids = [messageId ?? '', ...references]
    const token = findToken(key, [...ids, ...addresseesOf(mail.headers), ...claimed.envelope_to])
    return token && { token, event: 'arrived', words: '' }
  }
  const { ids, deliveries } = readDeliveryReport(mail, allAddresses)
  const token = findToken(key, ids)
  const failed = deliveries.find(({ outcome }) => outcome === 'failed')
  return token && { token, event: failed ? 'refused' : 'delayed', words: failed?.words ?? '' }
}

/** The checks of the sender by the server that received the email. */
export function describeAuthentication(
  { source, client }: Pick<ClaimedMail, 'source' | 'client'>,
  { headers }: Mail,
  own: Authentication,
): ProbeRow['authentication'] {
  if (source === 'smtp' && client) return { ...own, server: null }
  const first = readFirstAuthentication(headers)
  return first && { ...first.found, server: first.server }
}

/** Records the email in the mailbox's test. The mailbox must be locked. */
export async function recordProbe(
  tx: Tx,
  mailboxId: string,
  mail: Mail,
  { token, event, words }: ReceivedProbe,
  authentication: ProbeRow['authentication'],
): Promise<void> {
  const { projectId } = tx
  const probe = { project_id: projectId, mailbox_id: mailboxId, id: token.id }
  if (event === 'refused' && token.kind === 'plus' && (await updatePlusRefused(tx, probe, words)))
    await updatePlusWorks(tx, projectId, mailboxId, false)
  if (event !== 'arrived' || !hasPassedServer(mail)) return
  const isCurrent = await updateProbeArrived(tx, projectId, mailboxId, token, authentication)
  if (isCurrent && token.kind === 'plus') await updatePlusWorks(tx, projectId, mailboxId, true)
}
