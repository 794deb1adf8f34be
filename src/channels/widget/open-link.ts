import { hmacHex, isSame, type Vault } from '../../core/crypto.ts'
import type { Sql } from '../../core/db/db.ts'
import type { Call } from '../../core/endpoint.ts'
import { ApiError } from '../../core/errors.ts'
import { isId } from '../../core/ids.ts'
import { currentTime } from '../../core/time.ts'
import type { ChatDeps } from './deps.ts'
import { createVisitorRow, spendVisitorBudget, toVisitor } from './visitors.ts'

/** The key in an open_url names a ticket, its contact and an expiry time, and is signed. Nothing is stored. */

const lifetime = 7 * 24 * 60 * 60

interface Link {
  projectId: string
  ticketId: string
  contactId: string
}

const sign = (vault: Vault, { projectId, ticketId, contactId }: Link, exp: string): string =>
  hmacHex(
    vault.derive('widget links').toString('hex'),
    Buffer.from([projectId, ticketId, contactId, exp].join('\n')),
  )

export function makeLinkKey(vault: Vault, link: Link, at = currentTime()): string {
  const exp = (Math.floor(at / 1_000) + lifetime).toString(36)
  return `${link.ticketId}.${exp}.${sign(vault, link, exp)}`
}

interface Linked {
  contact_id: string
  locale: string | null
}

async function findLinked(sql: Sql, projectId: string, ticketId: string): Promise<Linked | null> {
  const [row] = await sql<Linked[]>`
    select t.contact_id, w.locale from tickets t
    join widget_tickets w on w.project_id = t.project_id and w.ticket_id = t.id
    where t.project_id = ${projectId} and t.id = ${ticketId} and t.merged_into_id is null`
  return row ?? null
}

/** Refuses a ticket that has moved to another contact in the meantime. */
export async function openTicketLink(deps: ChatDeps, call: Call, key: string) {
  await spendVisitorBudget(deps, call)
  const { db, project } = call
  const [ticketId = '', exp = '', mac = ''] = key.split('.')
  const found = isId(ticketId) ? await findLinked(db, project.id, ticketId) : null
  const link = found && { projectId: project.id, ticketId, contactId: found.contact_id }
  if (!link || !isSame(Buffer.from(mac), Buffer.from(sign(deps.vault, link, exp))))
    throw new ApiError('LINK_NOT_FOUND')
  const until = Number.parseInt(exp, 36) * 1_000
  if (until <= currentTime()) throw new ApiError('LINK_EXPIRED')
  const { token, visitor } = await createVisitorRow(db, project.id, {
    contact_id: link.contactId,
    ticket_id: ticketId,
    expires_at: new Date(until).toISOString(),
    locale: found!.locale,
    surface: 'page',
  })
  return { token, visitor: toVisitor(visitor) }
}
