import type { Sql } from '../core/db/db.ts'
import type { Caller } from '../core/endpoint.ts'
import type { OwnSignature } from './signature-schema.ts'

/** Reads and changes the signature of the signed-in operator in a project. */

export async function getSignature(sql: Sql, { project, actor }: Caller): Promise<OwnSignature> {
  const [row] = await sql<OwnSignature[]>`
    select signature from operators where project_id = ${project.id} and id = ${actor.id}`
  return row!
}

export async function updateSignature(
  sql: Sql,
  { project, actor }: Caller,
  { signature }: OwnSignature,
): Promise<OwnSignature> {
  const [row] = await sql<OwnSignature[]>`
    update operators set signature = ${signature.trim()}
    where project_id = ${project.id} and id = ${actor.id} returning signature`
  return row!
}
