import type { Comparison, PlainField, Test } from '../../conditions/conditions.ts'
import { hasWholeWords } from './compare.ts'

/** Which conditions an index can answer, so that only the matching tickets are read. */

const supported: Partial<Record<PlainField, Comparison['test']>> = {
  status: 'among',
  priority: 'among',
  channel: 'among',
  department_id: 'among',
  operator_id: 'among',
  contact_id: 'among',
  organization_id: 'among',
  tags: 'tags',
  subject: 'patterns',
  message: 'words',
  created_at: 'range',
  closed_at: 'range',
  rated_at: 'range',
  snoozed_until: 'range',
  is_snoozed: 'flag',
  is_merged: 'flag',
}

const ofCustomFields: Comparison['test'][] = ['among', 'numbers', 'flag']

function isLeafNarrowing({ field, comparison, isNegated }: Test & { join: null }): boolean {
  if (isNegated) return false
  if (!('plain' in field)) return field.custom.record === 'ticket' && ofCustomFields.includes(comparison.test)
  if (supported[field.plain] !== comparison.test) return false
  if (comparison.test === 'patterns') return hasWholeWords(comparison.patterns, comparison.isEach)
  return comparison.test !== 'flag' || comparison.value
}

export function isNarrowing(test: Test): boolean {
  if (test === null) return true
  if (test.join === null) return isLeafNarrowing(test)
  if (test.join === 'none') return false
  return test.join === 'all' ? test.of.some(isNarrowing) : test.of.every(isNarrowing)
}
