import type { Endpoint } from '../core/endpoint.ts'

const singular = (noun: string): string => noun.replace(/ies$/, 'y').replace(/(?<!u)s$/, '')

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

const camel = (words: string): string => words.split(/[-_]/).map(capital).join('')

const verbs = { POST: 'create', PUT: 'set', PATCH: 'update', DELETE: 'delete' }

/**
 * A name made of the path: `listContactTickets`, `getTicket`, `closeTicket`, `rotateWebhookSecret`. The last word of a
 * path is a collection if it ends in s or -log, otherwise an action, except with PUT and DELETE, where it is a record.
 */
export function operationId({ method, path }: Pick<Endpoint, 'method' | 'path'>): string {
  const parts = path
    .replace(/\.json$/, '')
    .split('/')
    .slice(1)
  const nouns = parts.filter(part => !part.startsWith('{'))
  const last = nouns.at(-1)!
  const before = nouns
    .slice(0, -1)
    .map(noun => camel(singular(noun)))
    .join('')
  const isRecord = parts.at(-1)!.startsWith('{') || method === 'PUT' || method === 'DELETE'
  const isCollection = /(?:s|-log|^import)$/.test(last)
  if (!isRecord && method === 'GET') return `${isCollection ? 'list' : 'get'}${before}${camel(last)}`
  if (isRecord || isCollection)
    return `${method === 'GET' ? 'get' : verbs[method]}${before}${camel(singular(last))}`
  const [verb, ...rest] = last.split('-')
  return `${verb}${before}${rest.map(capital).join('')}`
}
