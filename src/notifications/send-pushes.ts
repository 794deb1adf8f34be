import { within } from '../core/async/in-time.ts'
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
  /** How long to wait for a push service. */
  timeoutMs?: number
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

export function openPushing({ config, vault, timeoutMs = 10_000 }: PushSetup): PushDeps {
  return { config, timeoutMs, client: createGuardedClient({ config }), serverKey: deriveServerKey(vault) }
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

async function sendOne(db: Db, projectId: string, deps: PushWork, push: PushRow): Promise<void> {
  try {
    const outcome = await postPush(deps, push, push.id, contentOf(projectId, push))
    await record(db, push, outcome)
    if (outcome.result === 'refused')
      deps.log.warn({ status: outcome.status }, 'A push service refused a notification')
    if (outcome.result !== 'later') await deletePushes(db, projectId, [push.id])
  } catch (error) {
    deps.log.error({ err: error }, 'A notification could not be sent; it will be retried')
  }
}

/** How many notifications of a project a process sends at the same time. */
const maxAtOnce = 40

/** Milliseconds for which the next notifications wait for those that are being sent. */
const maxWaitMs = 1_000

/** What this process is sending, by project and the id of the notification. */
interface UnderWay {
  device_id: string
  done: Promise<void>
}
type Sending = Map<string, Map<string, UnderWay>>

const listUnderWay = (own: Map<string, UnderWay>) => [...own.values()].map(({ done }) => done)

async function sendClaimed(
  db: Db,
  projectId: string,
  deps: PushWork,
  own: Map<string, UnderWay>,
): Promise<number> {
  const busy = [...own.values()].map(({ device_id }) => device_id)
  if (own.size >= maxAtOnce) return 0
  const ids = (await claimPushes(db, projectId, busy, maxAtOnce - own.size)).map(({ id }) => id)
  if (ids.length === 0) return 0
  const needed = await listNeededPushes(db, projectId, ids)
  for (const push of needed) {
    const done = sendOne(db, projectId, deps, push).finally(() => own.delete(push.id))
    own.set(push.id, { device_id: push.device_id, done })
  }
  const open = new Set(needed.map(({ id }) => id))
  const closed = ids.filter(id => !open.has(id))
  if (closed.length > 0) await deletePushes(db, projectId, closed)
  return ids.length
}

/**
 * Sends due notifications of a project and returns how many it has claimed, or how many are still being sent. A slow push service
 * delays only the browsers that use it. A process that dies after sending a notification sends it again with the same id, by which the
 * browser recognises it.
 */
async function sendPushes(db: Db, projectId: string, deps: PushWork, sending: Sending): Promise<number> {
  const own = sending.get(projectId) ?? new Map<string, UnderWay>()
  sending.set(projectId, own)
  const earlier = listUnderWay(own)
  const count = await sendClaimed(db, projectId, deps, own)
  if (count > 0) await within<unknown>(maxWaitMs, Promise.all(listUnderWay(own)), () => null)
  else if (earlier.length > 0) await within<unknown>(maxWaitMs, Promise.race(earlier), () => null)
  if (own.size === 0) sending.delete(projectId)
  return count || earlier.length
}

/** The job for the projects with due notifications. */
export function createPushing(setup: PushSetup) {
  const deps = { ...setup, ...openPushing(setup) }
  const sending: Sending = new Map()
  return (db: Db, projectId: string): Promise<number> => sendPushes(db, projectId, deps, sending)
}
