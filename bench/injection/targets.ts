import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../src/core/config/config.ts'

/** One place to inject into, with its sqlmap options in addition to the common ones. */
export interface Target {
  name: string
  options: string[]
}

interface Described {
  parameters?: ({ name: string; in: string } | { $ref: string })[]
  requestBody?: { content: Record<string, { example?: object }> }
}

/** Valid values, so that injected text passes as many checks as possible. */
const values: Record<string, string> = {
  after: '0',
  channel: 'api',
  count: 'true',
  delivery_status: 'sent',
  email: 'ann@example.com',
  event: 'ticket.created',
  events: 'ticket.created',
  external_id: 'user-42',
  inline: '1',
  is_blocked: 'false',
  is_internal: 'false',
  is_spam: 'false',
  limit: '5',
  locale: 'en',
  order: 'asc',
  page: '1',
  page_size: '5',
  phone: '+4930123456',
  priority: 'normal',
  q: 'card',
  sender_type: 'contact',
  sort: 'created_at',
  status: 'open',
  tag: 'vip',
  telegram_id: '12345678',
  timeout: '0',
}

const chooseValue = (name: string, ids: Record<string, string>): string =>
  ids[name] ?? values[name] ?? (/_(?:after|before)$/.test(name) ? '2026-01-01' : ids.ticket_id!)

const fill = (path: string, ids: Record<string, string>, marked?: string): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name) => chooseValue(name, ids) + (name === marked ? '*' : ''))

/** The query with only this parameter, and without waiting for events. */
function queryOf(path: string, name: string, ids: Record<string, string>): string {
  const asked = { ...(path === '/updates' && { timeout: '0' }), [name]: chooseValue(name, ids) }
  return new URLSearchParams(asked).toString()
}

function targetsOf(
  [verb, { parameters = [], requestBody }]: [string, Described],
  path: string,
  base: string,
  ids: Record<string, string>,
): Target[] {
  const method = verb.toUpperCase()
  const body = requestBody?.content['application/json']?.example
  const data = body ? ['--data', JSON.stringify(body)] : []
  const at = (url: string, more: string[]) => ['-u', base + url, '--method', method, ...more]
  const namesIn = (place: string) =>
    parameters.flatMap(one => ('in' in one && one.in === place ? [one.name] : []))
  return [
    ...namesIn('path').map(name => ({
      name: `${method} ${path} path ${name}`,
      options: at(fill(path, ids, name), data),
    })),
    ...namesIn('query').map(name => ({
      name: `${method} ${path} query ${name}`,
      options: at(`${fill(path, ids)}?${queryOf(path, name, ids)}`, ['-p', name]),
    })),
    ...(body ? [{ name: `${method} ${path} body`, options: at(fill(path, ids), data) }] : []),
  ]
}

const headersOf = (base: string): Target => ({
  name: 'headers',
  options: ['-u', `${base}/tickets`, '-p', 'user-agent,referer,host'],
})

/** Every path and query parameter separately, every JSON body, and the headers. */
export function listTargets(base: string, ids: Record<string, string>): Target[] {
  const { paths }: { paths: Record<string, Record<string, Described>> } = JSON.parse(
    readFileSync(join(root, 'docs/openapi.json'), 'utf8'),
  )
  const ofOperations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(one => targetsOf(one, path, base, ids)),
  )
  return [headersOf(base), ...ofOperations]
}
