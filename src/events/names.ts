import { refuse } from '../core/errors.ts'
import { subscribable } from './catalogue.ts'

/** Checks the event names in a request: specification §4.1. */
export function checkEventNames(names: string[], field: string): void {
  const unknown = [...new Set(names)].filter(name => !subscribable.includes(name))
  if (unknown.length) throw refuse(field, 'unknown_event', { unknown, valid: subscribable })
}
