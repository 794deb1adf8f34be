import type { Config } from '../core/config/config.ts'
import type { Vault } from '../core/crypto.ts'
import type { Db } from '../core/db/db.ts'
import type { Mailer } from '../core/mail/mail.ts'
import type { Log } from '../core/telemetry/log.ts'
import { currentTime } from '../core/time.ts'
import { trySendMail } from '../operators/operators.ts'
import { claimDigest } from './claim.ts'
import { type DueDigest, insertDigest, listDigestTickets, listDueDigests } from './digest-queries.ts'
import { nextDigestTime } from './digest-times.ts'
import { unsubscribeUrlOf } from './unsubscribe.ts'
import { writeDigest } from './write-digest.ts'

/** Emails operators what waits for them, every hour or every day, if they have chosen it. */

export interface DigestDeps {
  config: Pick<Config, 'publicUrl'>
  vault: Vault
  log: Log
  /** Null if no mail server is configured. */
  mailer: Mailer | null
}

/** Returns whether the digest is done. */
async function sendDigest(
  db: Db,
  projectId: string,
  { config, vault, log, mailer }: DigestDeps,
  due: DueDigest,
): Promise<boolean> {
  if (!mailer || !due.may_send) return true
  const list = (kind: Parameters<typeof listDigestTickets>[3]) =>
    listDigestTickets(db, projectId, due.operator_id, kind)
  const mail = writeDigest({
    due,
    tickets: {
      mine: await list('mine'),
      mentions: await list('mentions'),
      unassigned: await list('unassigned'),
    },
    projectUrl: `${config.publicUrl.replace(/\/$/, '')}/p/${projectId}`,
    unsubscribeUrl: unsubscribeUrlOf(vault, config, due.user_id),
  })
  return mail === null || trySendMail(mailer, mail, log)
}

/**
 * Sends the due digests of a project and plans the next ones. Returns how many were due. A digest that could not be sent is due again
 * later, with the same Message-ID.
 */
async function sendDigests(db: Db, projectId: string, deps: DigestDeps): Promise<number> {
  const digests = await listDueDigests(db, projectId)
  for (const due of digests) {
    if (due.planned_at !== null && !(await claimDigest(db, projectId, due))) continue
    if (due.planned_at === null || (await sendDigest(db, projectId, deps, due)))
      await insertDigest(db, projectId, due, nextDigestTime(due, currentTime()))
  }
  return digests.length
}

/** The job for the projects with due digests. */
export const createDigestSending =
  (deps: DigestDeps) =>
  (db: Db, projectId: string): Promise<number> =>
    sendDigests(db, projectId, deps)
