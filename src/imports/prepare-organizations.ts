import { ApiError } from '../core/errors.ts'
import { stringOf } from '../core/objects.ts'
import { readOrganizationDomain } from '../organizations/organizations.ts'
import { cleanItem, findProblem, readPastTime } from './check-items.ts'
import { type ImportedOrganization, importedOrganization } from './organization-schema.ts'
import type { ImportWarning } from './schema.ts'

/** Checks and converts imported organizations before their transaction begins. */

export interface PreparedOrganization {
  item: ImportedOrganization
  problem: string | null
  warnings: ImportWarning[]
  /** As they are stored, without those that are not allowed. */
  domains: string[]
  created_at: string | null
  updated_at: string | null
}

function readDomain(sent: string, warnings: ImportWarning[]): string[] {
  try {
    return [readOrganizationDomain(sent, 'domains')]
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    warnings.push({ field: 'domains', value: sent, reason: stringOf(error.detail, 'reason') ?? 'invalid' })
    return []
  }
}

export function prepareOrganization(sent: ImportedOrganization): PreparedOrganization {
  const item = cleanItem(sent)
  const problem = findProblem(importedOrganization, item)
  const warnings: ImportWarning[] = []
  const domains = problem ? [] : (item.domains ?? []).flatMap(domain => readDomain(domain, warnings))
  return {
    item,
    problem,
    warnings,
    domains: [...new Set(domains)],
    created_at: readPastTime(item.created_at, 'created_at', warnings),
    updated_at: readPastTime(item.updated_at, 'updated_at', warnings),
  }
}
