import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { Db } from '../src/core/db/db.ts'
import { newId } from '../src/core/ids.ts'
import { createKey, type NewKey } from '../src/keys/keys.ts'
import { createDepartment, createOperator } from '../src/operators/operators.ts'
import { createProject } from '../src/projects/projects.ts'
import type { Client } from './client.ts'

/** A project with a valid key. */
export interface Member {
  id: string
  name: string
  key: NewKey
}

async function join(db: Db, name: string): Promise<Member> {
  const { id } = await createProject(db, { name })
  // The tests of the first steps show them.
  await db`update projects set has_first_steps = false where id = ${id}`
  return { id, name, key: await createKey(db, id, `${name}'s key`) }
}

/** Acme is ours. Rival must never see anything of Acme's. */
export const makeCast = async (db: Db): Promise<{ acme: Member; rival: Member }> => ({
  acme: await join(db, 'Acme'),
  rival: await join(db, 'Rival'),
})

/**
 * A word that occurs nowhere else. It begins with a letter, because YAML and the searches would read 123456789012
 * and 12e456789012 as numbers.
 */
export function unique(): string {
  const word = randomBytes(6).toString('hex')
  return /^\d/.test(word) ? unique() : word
}

/** An id that belongs to no record. */
export const nobody = '0197f3c2-6a1e-7c3a-9d0b-3f0a5f2c9b11'

type Fields = Record<string, unknown>

async function make(api: Client, path: string, body: Fields) {
  const answer = await api.post(path, body)
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

/** Creates a ticket of a new contact, unless `fields` names one. */
export const makeTicket = (api: Client, fields: Fields = {}) =>
  make(api, '/tickets', { contact: { email: `${unique()}@example.com` }, ...fields })

export const makeContact = (api: Client, fields: Fields = {}) =>
  make(api, '/contacts', { email: `${unique()}@example.com`, ...fields })

export const makeMessage = (api: Client, ticketId: string, fields: Fields = {}) =>
  make(api, `/tickets/${ticketId}/messages`, { content: 'Hello', ...fields })

export const makeOperator = (db: Db, { id }: Member, name = 'Omar') =>
  createOperator(db, id, { name, email: `${unique()}@example.com` })

export const makeDepartment = (db: Db, { id }: Member, name = 'Billing') => createDepartment(db, id, name)

/** Inserts a file that is not attached to anything yet. */
export async function makeFile(db: Db, { id: project_id }: Pick<Member, 'id'>): Promise<string> {
  const id = newId()
  await db`insert into media (project_id, id, filename, content_type, kind, size, sha256, created_at) values
    (${project_id}, ${id}, 'a.png', 'image/png', 'image', 5120, 'none', now())`
  return id
}

/** Puts the project on a new plan with this many tickets a month. */
export async function limitTickets(db: Db, { id }: Member, limit: number): Promise<void> {
  const code = `plan_${unique()}`
  await db`insert into plans (code, name, monthly_ticket_limit) values (${code}, 'Small', ${limit})`
  await db`update projects set plan = ${code} where id = ${id}`
}

export interface LoggedEvent {
  seq: number
  id: string
  type: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects to be there
  data: any
  at: string
}

export async function listEvents(db: Db, { id }: Member, after = 0): Promise<LoggedEvent[]> {
  const rows = await db`select seq::int, id, type, data::text,
      to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US') as at
    from events where project_id = ${id} and seq > ${after} order by seq`
  return rows.map(row => ({ ...row, data: JSON.parse(row.data) })) as unknown as LoggedEvent[]
}

export const lastSeq = async (db: Db, member: Member): Promise<number> =>
  (await listEvents(db, member)).at(-1)?.seq ?? 0

interface Logs {
  db: Db
  acme: Member
  rival: Member
}

/** The events that `act` adds to Acme's log. It must add none to Rival's. */
export async function eventsOf(server: Logs, act: () => Promise<unknown>): Promise<LoggedEvent[]> {
  const before = await lastSeq(server.db, server.acme)
  const rivals = await lastSeq(server.db, server.rival)
  await act()
  assert.equal(await lastSeq(server.db, server.rival), rivals, "Rival's log was touched")
  return listEvents(server.db, server.acme, before)
}

export const typesOf = async (server: Logs, act: () => Promise<unknown>): Promise<string[]> =>
  (await eventsOf(server, act)).map(event => event.type)
