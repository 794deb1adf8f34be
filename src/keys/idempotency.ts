import { sha256, type Vault } from '../core/crypto.ts'
import { changeByProject } from '../core/db/by-project.ts'
import type { Db, Sql } from '../core/db/db.ts'
import type { Call } from '../core/endpoint.ts'
import { type InvalidRequest, invalidHeader, refuse } from '../core/errors.ts'
import type { WrapOperation } from '../core/http/mount.ts'
import { type Tx, transact } from '../events/transaction.ts'

const shape = /^[\x21-\x7e]{1,255}$/

const badKey = (sent: unknown): InvalidRequest =>
  invalidHeader(
    'idempotency-key',
    'string_pattern_mismatch',
    'Input should be 1 to 255 visible ASCII characters',
    sent,
  )

interface Kept {
  request_hash: Buffer
  status: number
  /** Null if what the request created has been deleted. */
  body: Buffer | null
}

/** API keys, people and visitors have separate stored responses, which are deleted together with their owner. */
function placeOf(sql: Sql, { actor }: Call) {
  if (actor.type === 'contact')
    return { table: sql('visitor_answers'), caller: sql('visitor_id'), id: actor.visitor_id }
  return actor.type === 'operator'
    ? { table: sql('operator_answers'), caller: sql('operator_id'), id: actor.id }
    : { table: sql('idempotency_keys'), caller: sql('api_key_id'), id: actor.id }
}

export const labelOf = (projectId: string): string => `answers ${projectId}`

/** The first request inserts the row and locks it until its response is stored. A second one waits for that. */
async function take(tx: Tx, call: Call, key: string, hash: Buffer): Promise<Kept | null> {
  const { table, caller, id } = placeOf(tx, call)
  const [taken] = await tx`
    insert into ${table} as kept (project_id, ${caller}, key, request_hash)
    values (${tx.projectId}, ${id}, ${key}, ${hash})
    on conflict (project_id, ${caller}, key) do update
      set request_hash = excluded.request_hash, created_at = excluded.created_at, status = null, body = null
      where kept.created_at < excluded.created_at - interval '24 hours'
    returning 1`
  if (taken) return null
  const [kept] = await tx<Kept[]>`
    select request_hash, status, body from ${table}
    where project_id = ${tx.projectId} and ${caller} = ${id} and key = ${key}`
  return kept!
}

function replay(call: Call, kept: Kept, hash: Buffer, vault: Vault): unknown {
  if (!kept.request_hash.equals(hash)) {
    throw refuse('Idempotency-Key', 'idempotency_key_reused')
  }
  if (kept.body === null) throw refuse('Idempotency-Key', 'record_deleted')
  call.reply.code(kept.status).header('idempotency-replayed', 'true')
  return JSON.parse(vault.open(kept.body, labelOf(call.project.id)))
}

const hashOf = ({ request }: Call): Buffer =>
  sha256(JSON.stringify([request.method, request.url, request.body ?? null]))

/** With an Idempotency-Key, the operation and its stored response are one transaction. Errors are not stored. */
export const storeResponses =
  (vault: Vault): WrapOperation =>
  async (call, definition, run) => {
    const key = definition.isIdempotent ? call.request.headers['idempotency-key'] : undefined
    if (key === undefined) return run(call)
    if (typeof key !== 'string' || !shape.test(key)) throw badKey(key)
    const hash = hashOf(call)
    return transact(call.db, call.project.id, async tx => {
      const kept = await take(tx, call, key, hash)
      if (kept) return replay(call, kept, hash, vault)
      tx.storesResponse = true
      const answer = await run({ ...call, db: tx as never })
      const { table, caller, id } = placeOf(tx, call)
      await tx`
        update ${table}
        set status = ${call.reply.statusCode}, body = ${vault.seal(JSON.stringify(answer), labelOf(call.project.id))}
        where project_id = ${tx.projectId} and ${caller} = ${id} and key = ${key}`
      return answer
    })
  }

interface StoredResponse {
  project_id: string
  caller: string
  key: string
}

/** Tables of responses, and their columns with the caller. */
export const responseTables = [
  ['idempotency_keys', 'api_key_id'],
  ['operator_answers', 'operator_id'],
  ['visitor_answers', 'visitor_id'],
] as const

/** Responses are stored for 24 hours. */
export async function deleteOldResponses(db: Db, limit = 5_000): Promise<number> {
  let deleted = 0
  for (const [table, caller] of responseTables) {
    const old = await db<StoredResponse[]>`
      select project_id, ${db(caller)} as caller, key from ${db(table)}
      where created_at < now() - interval '24 hours' limit ${limit}`
    deleted += await changeByProject(
      old,
      (projectId, own) => db`
        delete from ${db(table)} where project_id = ${projectId} and created_at < now() - interval '24 hours'
          and (${db(caller)}, key) in (
            select * from unnest(${own.map(row => row.caller)}::uuid[], ${own.map(({ key }) => key)}::text[]))`,
    )
  }
  return deleted
}
