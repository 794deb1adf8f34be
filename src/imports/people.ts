import { isId } from '../core/ids.ts'
import { type KnownOperator, listDepartmentNames, listKnownOperators } from './people-queries.ts'
import type { ImportRun } from './run.ts'
import type { ImportedOperator } from './schema.ts'

/** Finds the operators and departments to which imported records refer. */

export type FindOperator = (sent: ImportedOperator | null | undefined) => KnownOperator | null

export async function createOperatorFinder(
  { tx }: ImportRun,
  sent: Iterable<ImportedOperator | null | undefined>,
): Promise<FindOperator> {
  const [ids, emails] = [new Set<string>(), new Set<string>()]
  for (const one of sent) {
    if (one?.id && isId(one.id)) ids.add(one.id)
    if (one?.email) emails.add(one.email.toLowerCase())
  }
  const rows =
    ids.size || emails.size ? await listKnownOperators(tx, tx.projectId, [...ids], [...emails]) : []
  return one =>
    (one?.id && rows.find(row => row.id === one.id)) ||
    (one?.email && rows.find(row => row.email === one.email!.toLowerCase())) ||
    null
}

export type FindDepartment = (name: string) => string | null

export async function createDepartmentFinder({ tx }: ImportRun): Promise<FindDepartment> {
  const rows = await listDepartmentNames(tx, tx.projectId)
  const fold = (name: string) => name.trim().normalize('NFC').toLowerCase()
  const byName = new Map(rows.map(({ id, name }) => [fold(name), id]))
  return name => byName.get(fold(name)) ?? null
}
