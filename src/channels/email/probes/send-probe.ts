import { Readable } from 'node:stream'
import type { Config } from '../../../core/config/config.ts'
import type { Vault } from '../../../core/crypto.ts'
import type { Db, Sql } from '../../../core/db/db.ts'
import { domainOf } from '../../../core/email.ts'
import { addressRuleOf } from '../../../core/http/address.ts'
import { composeEmail } from '../../../mail/compose/compose-email.ts'
import type { DkimKey, OutgoingEmail } from '../../../mail/compose/outgoing-email.ts'
import { makeProbeAddress, makeProbeMailId, type ProbeKind } from '../../../mail/tokens.ts'
import { findSigningKey } from '../dkim/dkim-keys.ts'
import type { FetchedMailbox } from '../mailboxes/mailbox.ts'
import {
  type DueProbe,
  tooLong,
  updatePlusRefused,
  updatePlusWorks,
  updateProbeBegun,
  updateProbeFailed,
  updateProbesOverdue,
} from '../mailboxes/probe-queries.ts'
import { findFetchedMailbox } from '../mailboxes/queries.ts'
import { describeSmtpFailure } from '../mailboxes/smtp-failure.ts'
import { mailboxMailTextsOf } from '../mailboxes/texts/texts.ts'
import { type ConnectDeps, connectSender, faultPlaceOf } from '../outgoing/smtp-place.ts'
import type { SmtpError, SmtpSession } from '../outgoing/smtp-session.ts'

/** Sends test emails from a mailbox to itself. */

export interface ProbeDeps {
  config: Pick<Config, 'webhookAllowedCidrs' | 'publicUrl' | 'smtpUrl'>
  db: Db
  vault: Vault
}

interface ProbeContent {
  id: string
  /** The project's locale. */
  locale: string | null
  dkim: DkimKey | null
}

async function findLocale(sql: Sql, projectId: string): Promise<string | null> {
  const [row] = await sql<{ locale: string | null }[]>`
    select default_locale as locale from projects where id = ${projectId}`
  return row?.locale ?? null
}

/** The ID is also in References, because some relays replace Message-IDs. */
function writeProbe(
  key: Buffer,
  { address, name }: FetchedMailbox,
  { id, locale, dkim }: ProbeContent,
  { kind, to }: { kind: ProbeKind; to: string },
): OutgoingEmail {
  const messageId = makeProbeMailId(key, kind, id, domainOf(address))
  const { locale: language, texts } = mailboxMailTextsOf(locale)
  const { subject, text } = texts.probe
  return {
    ...{ messageId, date: new Date(), from: { address, name: name || null }, replyTo: null },
    ...{ to: [{ address: to, name: null }], cc: [], subject, inReplyTo: null, references: [] },
    ...{ anchor: messageId, threadIndex: null, threadTopic: subject, content: { text, html: null } },
    ...{ signature: null, history: [], forwarded: null, files: [], links: [], color: null, language },
    ...{ automatic: { kind: 'generated' as const }, listUnsubscribe: null, dkim },
  }
}

async function send(session: SmtpSession, email: OutgoingEmail): Promise<void> {
  const bytes = Buffer.concat(await (await composeEmail(email)).toArray())
  const envelope = { from: email.from.address, to: [email.to[0]!.address], size: bytes.length }
  await session.send(envelope, Readable.from([bytes], { objectMode: false }), {
    accepted: [],
    rejectedErrors: [],
  })
}

async function recordPlusRefusal(db: Db, probe: DueProbe, words: string): Promise<void> {
  await db.begin(async sql => {
    // Mailboxes are locked before their tests.
    await updatePlusWorks(sql, probe.project_id, probe.mailbox_id, false)
    await updatePlusRefused(sql, probe, words)
  })
}

async function sendBoth(deps: ConnectDeps, mailbox: FetchedMailbox, probe: DueProbe): Promise<void> {
  const { db, vault } = deps
  const key = vault.derive('mail')
  const { id } = probe
  const plus = makeProbeAddress(key, mailbox.address, id)
  const dkim = await findSigningKey(db, vault, mailbox)
  const content = { id, locale: await findLocale(db, mailbox.project_id), dkim }
  const session = await connectSender(deps, mailbox)
  try {
    await send(session, writeProbe(key, mailbox, content, { kind: 'plain', to: mailbox.address }))
    if (plus === null) return await recordPlusRefusal(db, probe, tooLong)
    await send(session, writeProbe(key, mailbox, content, { kind: 'plus', to: plus })).catch(
      (error: SmtpError) => recordPlusRefusal(db, probe, error.response ?? error.message),
    )
  } finally {
    session.close()
  }
}

async function sendProbe({ db, vault, config }: ProbeDeps, probe: DueProbe): Promise<void> {
  const mailbox = await findFetchedMailbox(db, probe.project_id, probe.mailbox_id)
  if (!mailbox) return
  const deps = { db, vault, smtpUrl: config.smtpUrl, mayReach: addressRuleOf(config).isAllowed }
  try {
    await sendBoth(deps, mailbox, probe)
  } catch (error) {
    const { code, values } = describeSmtpFailure(error, faultPlaceOf(deps, mailbox))
    await updateProbeFailed(db, probe, { code, values })
  }
}

/** Sends the waiting test of a mailbox, if the mailbox is ready for it. */
export async function sendWaitingProbe(
  deps: ProbeDeps,
  mailbox: Pick<FetchedMailbox, 'project_id' | 'id'>,
): Promise<void> {
  const probe = await updateProbeBegun(deps.db, mailbox)
  if (probe) await sendProbe(deps, probe)
}

/** Ends overdue tests and starts a waiting one. Returns how many tests it has ended or started. */
export async function runProbes(deps: ProbeDeps): Promise<number> {
  const ended = await updateProbesOverdue(deps.db)
  const probe = await updateProbeBegun(deps.db)
  if (probe) await sendProbe(deps, probe)
  return ended + (probe ? 1 : 0)
}
