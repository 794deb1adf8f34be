import { base, publicApi } from '../../src/app.ts'
import type { Endpoint } from '../../src/core/endpoint.ts'

/** Every operation of the public API, as definitions that cannot be called. */
export const operations: Endpoint[] = publicApi({} as Parameters<typeof publicApi>[0])

export const titleOf = ({ method, path }: Endpoint): string => `${method} ${path}`

export const parametersOf = ({ path }: Endpoint): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)

/** With this query, an operation that may wait answers at once. */
const queries: Record<string, string> = { '/updates': '?after=0&timeout=0' }

export const fillPath = ({ path }: Endpoint, values: Record<string, string> = {}): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values[name] ?? 'unknown')) +
  (queries[path] ?? '')

/** The operation that serves a request. The query string is ignored. */
export function findOperation(method: string, path: string): Endpoint | undefined {
  const parts = path.replace(base, '').split('?')[0]!.split('/')
  const fits = (template: string): boolean => {
    const wanted = template.split('/')
    return (
      wanted.length === parts.length && wanted.every((part, at) => part.startsWith('{') || part === parts[at])
    )
  }
  return operations.find(definition => definition.method === method && fits(definition.path))
}
