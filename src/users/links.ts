import { randomBytes } from 'node:crypto'
import { sha256 } from '../core/crypto.ts'
import type { Sql } from '../core/db/db.ts'
import { ApiError } from '../core/errors.ts'

/** Links that work once. The database stores only the hash of their token. */

export type Purpose = 'set_up' | 'invite' | 'reset'

export interface Link {
  purpose: Purpose
  project_id: string | null
  operator_id: string | null
  user_id: string | null
  email: string | null
  /** Who created it to hand it over; null if it was mailed to the person or made on the command line. */
  made_by: string | null
  expires_at: string
  /** Whether it was opened with the token that only the mail contains. */
  is_mailed: boolean
}

const lifetimes: Record<Purpose, string> = { set_up: '24 hours', invite: '7 days', reset: '1 hour' }

export const hashLink = (token: string): Buffer => sha256(token)

type NewLink = { purpose: Purpose } & Partial<Omit<Link, 'expires_at' | 'is_mailed'>>

/**
 * Creates a link and returns its token and expiry. Earlier links for the same person and purpose become invalid, except if the new one
 * is a mailed reset: anybody can request that, and must not invalidate the link that the person is about to open.
 */
export async function createLink(sql: Sql, link: NewLink): Promise<{ token: string; expires_at: string }> {
  if (!(link.purpose === 'reset' && link.email)) await deleteLinks(sql, link)
  const token = randomBytes(32).toString('base64url')
  const [row] = await sql<{ expires_at: string }[]>`
    insert into links (token_hash, purpose, project_id, operator_id, user_id, email, made_by, expires_at)
    values (${hashLink(token)}, ${link.purpose}, ${link.project_id ?? null}, ${link.operator_id ?? null},
      ${link.user_id ?? null}, ${link.email ?? null}, ${link.made_by ?? null}, now() + ${lifetimes[link.purpose]}::text::interval)
    returning expires_at`
  return { token, expires_at: row!.expires_at }
}

/** A second token of this link, sent only by mail: opening the link with it proves access to the mailbox. */
export async function addMailedToken(sql: Sql, token: string): Promise<string> {
  const mailed = randomBytes(32).toString('base64url')
  await sql`update links set mailed_hash = ${hashLink(mailed)} where token_hash = ${hashLink(token)}`
  return mailed
}

/** Deletes unused links with the same purpose for the same person. */
export const deleteLinks = (sql: Sql, { purpose, project_id, operator_id, user_id }: NewLink) => sql`
  delete from links where purpose = ${purpose} and used_at is null
    and project_id is not distinct from ${project_id ?? null}::uuid
    and operator_id is not distinct from ${operator_id ?? null}::uuid
    and user_id is not distinct from ${user_id ?? null}::uuid`

interface State {
  is_used: boolean
  is_expired: boolean
}

const columns = (sql: Sql, hash: Buffer) =>
  sql`purpose, project_id, operator_id, user_id, email, made_by, expires_at, coalesce(mailed_hash = ${hash}, false) as is_mailed`

const hasHash = (sql: Sql, hash: Buffer) => sql`(token_hash = ${hash} or mailed_hash = ${hash})`

/** Whether the person who handed over a link would still be allowed to. If not, the link is treated as if it did not exist. */
export type IsLinkAuthorized = (sql: Sql, link: Link) => Promise<boolean>

/** The link; throws an error that says why it is invalid. */
export async function getLink(sql: Sql, hash: Buffer, isBacked: IsLinkAuthorized): Promise<Link> {
  const [row] = await sql<(Link & State)[]>`
    select ${columns(sql, hash)}, used_at is not null as is_used, expires_at <= now() as is_expired
    from links where ${hasHash(sql, hash)}`
  if (!row) throw new ApiError('LINK_NOT_FOUND')
  const { is_used, is_expired, ...link } = row
  if (is_used) throw new ApiError('LINK_USED', { purpose: link.purpose })
  if (is_expired) throw new ApiError('LINK_EXPIRED', { purpose: link.purpose })
  if (!(await isBacked(sql, link))) throw new ApiError('LINK_NOT_FOUND')
  return link
}

/** Takes the link. Of several concurrent requests, only one gets it. */
export async function useLink(sql: Sql, hash: Buffer, isBacked: IsLinkAuthorized): Promise<Link> {
  const [link] = await sql<Link[]>`
    update links set used_at = now()
    where ${hasHash(sql, hash)} and used_at is null and expires_at > now()
    returning ${columns(sql, hash)}`
  if (!link) return getLink(sql, hash, isBacked)
  if (!(await isBacked(sql, link))) throw new ApiError('LINK_NOT_FOUND')
  return link
}

export const linkUrlOf = (publicUrl: string, token: string): string =>
  `${publicUrl.replace(/\/$/, '')}/link/${token}`
