import type { Sql } from '../core/db/db.ts'
import { listSpellings } from '../core/email.ts'
import { ApiError } from '../core/errors.ts'
import { findUser, getLink, hashLink, useLink } from '../users/users.ts'
import { acceptInvitation } from './accept.ts'
import { followGroups, type GroupDeps } from './groups.ts'
import { isLinkAuthorized } from './may-manage.ts'
import { listMemberships } from './people-queries.ts'

/** People who sign in at the OpenID Connect provider. */

/** Hashes of the links of open invitations to this address, in any project. */
async function listInvitations(sql: Sql, email: string): Promise<Buffer[]> {
  const rows = await sql<{ token_hash: Buffer }[]>`
    select l.token_hash from links l join operators o on o.project_id = l.project_id and o.id = l.operator_id
    where lower(o.email) = any(${listSpellings(email)}::text[]) and o.removed_at is null and o.user_id is null
      and l.purpose = 'invite' and l.used_at is null and l.expires_at > now()
    order by l.created_at`
  return rows.map(({ token_hash }) => token_hash)
}

const isOpen = (sql: Sql, hash: Buffer, purposes = ['invite']): Promise<boolean> =>
  getLink(sql, hash, isLinkAuthorized).then(
    ({ purpose }) => purposes.includes(purpose),
    error => {
      if (error instanceof ApiError) return false
      throw error
    },
  )

/** Whether somebody with this address has an open invitation, or has opened a link that makes an account. */
export async function isAwaited(sql: Sql, email: string, linkToken: string | null): Promise<boolean> {
  if (linkToken && (await isOpen(sql, hashLink(linkToken), ['invite', 'set_up']))) return true
  for (const hash of await listInvitations(sql, email)) if (await isOpen(sql, hash)) return true
  return false
}

/** If the person is in no project yet, accepts every invitation to the address. Invalid invitations are skipped. */
async function joinAwaiting({ db }: GroupDeps, userId: string): Promise<void> {
  const user = (await findUser(db, userId))!
  if (!user.email_verified || (await listMemberships(db, userId)).length > 0) return
  for (const hash of await listInvitations(db, user.email)) {
    await db
      .begin(async tx =>
        acceptInvitation(tx, await useLink(tx, hash, isLinkAuthorized), { hash: null, userId }),
      )
      .catch(error => {
        if (!(error instanceof ApiError)) throw error
      })
  }
}

export async function joinAwaited(deps: GroupDeps, userId: string, mayJoin: boolean): Promise<void> {
  if (mayJoin) await joinAwaiting(deps, userId)
  await followGroups(deps, userId)
}
