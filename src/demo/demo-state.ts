import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { Vault } from '../core/crypto.ts'
import type { Caller, OperatorActor } from '../core/endpoint.ts'
import { newId } from '../core/ids.ts'
import { now, toDatabase } from '../core/time.ts'
import type { Tx } from '../events/transaction.ts'
import type { NewMedia } from '../media/media.ts'

/** The state of the running demo script: its people by their names in the script, and its clock. */
export interface DemoState {
  tx: Tx
  vault: Vault
  project: { id: string; name: string }
  people: Map<string, OperatorActor>
  departments: Map<string, string>
  contacts: Map<string, { id: string; name: string; email?: string; telegram_id?: number }>
  tickets: Map<string, string>
  pictures: Map<string, NewMedia>
  /** Rows written from the real time `mark` on get times from `at` on. */
  clock: { mark: string; at: string }[]
  made: { kind: DemoTable; id: string }[]
}

/** Tables whose demo rows can be removed again, together with the rows that reference them. */
export const demoTables = [
  'audit_entries',
  'widgets',
  'webhooks',
  'telegram_bots',
  'saved_views',
  'canned_answers',
  'custom_fields',
  'articles',
  'categories',
  'tickets',
  'contacts',
  'tags',
  'departments',
  'operators',
  'users',
] as const
export type DemoTable = (typeof demoTables)[number]

export const recordMade = ({ made }: DemoState, kind: DemoTable, id: string): void =>
  void made.push({ kind, id })

/** Sets the script's clock to this many minutes before the present. */
export function setClock({ clock }: DemoState, minutesAgo: number): void {
  const at = new Date(Date.now() - minutesAgo * 60_000).toISOString()
  clock.push({ mark: toDatabase(now()), at })
}

export function as({ project, people }: DemoState, name: string): Caller {
  const actor = people.get(name)
  if (!actor) throw new Error(`The demo's script knows no operator ${name}`)
  return { project, actor }
}

/** The caller for actions of contacts and programs. */
export const apiCaller = ({ project }: DemoState): Caller => ({
  project,
  actor: { type: 'api', id: newId() },
})

export const readScript = <T>(name: string): T =>
  parse(readFileSync(new URL(`shop/${name}.yaml`, import.meta.url), 'utf8'))

const units: Record<string, number> = { m: 1, h: 60, d: 1_440 }

/** Parses `3d 4h` or `25m` into minutes. */
export const minutesOf = (text: string): number =>
  text.split(' ').reduce((sum, part) => sum + Number.parseFloat(part) * units[part.at(-1)!]!, 0)
