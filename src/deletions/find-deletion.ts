import type { Sql } from '../core/db/db.ts'
import { UserError } from '../core/user-error.ts'
import { UnknownIdError } from '../projects/projects.ts'
import { countHeld, type HeldRows, listUniqueNames, type UniqueName } from './queries.ts'

export interface PlannedDeletion extends UniqueName, HeldRows {}

function refuseTwo(named: UniqueName, other: UniqueName): never {
  const way = named.slug ? `the slug ${named.slug} to delete the first` : 'the second another slug first'
  throw new UserError(
    `"${named.id}" is the id of "${named.name}" and the slug of "${other.name}"; give ${way}, or the id ${other.id} to delete the second`,
  )
}

/** Finds a project by its slug or id, and counts what would be deleted with it. */
export async function findPlannedDeletion(sql: Sql, word: string): Promise<PlannedDeletion> {
  const [named, other] = await listUniqueNames(sql, word)
  if (named && other) refuseTwo(named, other)
  if (!named) throw new UnknownIdError('Project', word, 'see deskbell project list')
  return { ...named, ...(await countHeld(sql, named.id)) }
}
