import type { Config } from '../core/config/config.ts'
import type { Vault } from '../core/crypto.ts'
import type { Db } from '../core/db/db.ts'
import { createGuardedClient } from '../core/http/guarded-request.ts'
import { newId } from '../core/ids.ts'
import type { Log } from '../core/telemetry/log.ts'
import { previewOf } from '../messages/messages.ts'
import { claimPushes } from './claim.ts'
import { deleteTarget, type PushTarget, updateSent } from './device-queries.ts'
import { type PushDeps, type PushOutcome, postPush } from './post-push.ts'
import { deletePushes, listNeededPushes, type PushRow } from './push-queries.ts'
import { deriveServerKey } from './server-key.ts'

/** Sends notifications to the browsers of operators who do not look at Deskbell (decision 81). */

export interface PushSetup {
  config: Pick<Config, 'publicUrl' | 'mailFrom' | 'webhookAllowedCidrs'>
  vault: Vault
  log: Log
}

type PushWork = PushDeps & Pick<PushSetup, 'log'>

/** What the browser shows. The service worker chooses the words. */
function contentOf(
  projectId: string,
  { kind, number, subject, is_hidden, author, content }: PushRow,
): object {
  const place = { kind, project_id: projectId, number }
  if (is_hidden) return place
  return { ...place, subject, author, text: content && previewOf(content.content, content.content_format) }
}

export function openPushing({ config, vault }: PushSetup): PushDeps {
  return { config, client: createGuardedClient({ config }), serverKey: deriveServerKey(vault) }
}

async function record(db: Db, target: PushTarget, { result }: PushOutcome): Promise<void> {
  if (result === 'gone') await deleteTarget(db, target)
  if (result === 'sent') await updateSent(db, [target.device_id])
}

/** Sends a notification that only says that notifications work. */
export async function sendTestPush(db: Db, deps: PushDeps, target: PushTarget): Promise<PushOutcome> {
  const outcome = await postPush(deps, target, newId(), { kind: 'test' })
  await record(db, target, outcome)
  return outcome
}

async function sendOne(db: Db, projectId: string, deps: PushWork, push: PushRow) {
  const outcome = await postPush(deps, push, push.id, contentOf(projectId, push))
  await record(db, push, outcome)
  if (outcome.result === 'refused')
    deps.log.warn({ status: outcome.status }, 'A push service refused a notification')
  return outcome.result === 'later' ? [] : [push.id]
}

/**
 * Sends due notifications of a project and returns how many it has claimed. A process that dies after sending one sends it again
 * with the same id, by which the browser recognises it.
 */
async function sendPushes(db: Db, projectId: string, deps: PushWork): Promise<number> {
  const ids = (await claimPushes(db, projectId)).map(({ id }) => id)
  if (ids.length === 0) return 0
  const needed = await listNeededPushes(db, projectId, ids)
  const sent = await Promise.all(needed.map(push => sendOne(db, projectId, deps, push)))
  const open = new Set(needed.map(({ id }) => id))
  await deletePushes(db, projectId, [...ids.filter(id => !open.has(id)), ...sent.flat()])
  return ids.length
}

/** The job for the projects with due notifications. */
export function createPushing(setup: PushSetup) {
  const deps = { ...setup, ...openPushing(setup) }
  return (db: Db, projectId: string): Promise<number> => sendPushes(db, projectId, deps)
}
