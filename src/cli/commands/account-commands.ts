import type { AccountCaller } from '../../channels/accounts/account-rules.ts'
import type { Sql } from '../../core/db/db.ts'
import { UserError } from '../../core/user-error.ts'
import { findProject } from '../../projects/projects.ts'
import { type Command, command } from '../command.ts'
import type { CliSession } from '../session.ts'
import { drawRecords } from '../table.ts'

/** The commands that mailboxes, bots and custom channels have in common. */

export const accountCallerOf = (projectId: string): AccountCaller => ({
  project: { id: projectId },
  actor: { type: 'cli' },
})

/** What the accounts of a channel are called, and their table. */
export interface AccountNoun {
  /** The first word of the commands. */
  command: string
  noun: string
  table: string
}

/** The project that an account belongs to. */
export async function findProjectOfAccount(
  { db }: { db: Sql },
  { command: word, noun, table }: AccountNoun,
  id: string,
): Promise<string> {
  const [row] = await db<{ project_id: string }[]>`
    select project_id from ${db(table)} where project_id is not null and id::text = ${id}`
  if (row) return row.project_id
  const plural = `${noun.toLowerCase()}${noun.endsWith('x') ? 'es' : 's'}`
  throw new UserError(
    `${noun} ${id} not found; list ${plural} with bin/deskbell ${word} list --project PROJECT`,
  )
}

export const listCommand = <T extends object>(
  { command: word }: AccountNoun,
  about: string,
  list: (session: CliSession, projectId: string) => Promise<T[]>,
  none: string,
): Command =>
  command(
    { name: `${word} list`, about, required: ['project'] },
    async (session, { project = '' }) => {
      await findProject(session.db, project)
      return { items: await list(session, project) }
    },
    ({ items }) => drawRecords(items, none),
  )

/** A command about one account, such as `pause`. */
export const accountCommand = <T extends object>(
  noun: AccountNoun,
  action: string,
  about: string,
  run: (session: CliSession, caller: AccountCaller, id: string) => Promise<T>,
  print: (result: T) => string,
): Command =>
  command(
    { name: `${noun.command} ${action}`, about, arguments: ['ID'] },
    async (session, { ID: id = '' }) =>
      run(session, accountCallerOf(await findProjectOfAccount(session, noun, id)), id),
    print,
  )

export const deleteAccountCommand = (
  noun: AccountNoun,
  about: string,
  remove: (session: CliSession, caller: AccountCaller, id: string) => Promise<void>,
): Command =>
  accountCommand(
    noun,
    'delete',
    about,
    async (session, caller, id) => {
      await remove(session, caller, id)
      return { id }
    },
    ({ id }) => `${noun.noun} ${id} is deleted`,
  )
