import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../src/core/config/config.ts'

/** Every page of the dashboard. They are read from the route files, so that new pages are included. */

const listOf = (file: string): string[] =>
  [...readFileSync(join(root, 'web/dashboard', file), 'utf8').matchAll(/\bpath: '([^']+)'/g)].map(
    ([, path]) => path!,
  )

/** The full paths of the pages that routes.tsx defines. */
const places = [
  '/inbox/open',
  '/inbox/open/$number',
  '/contacts',
  '/contacts/$contactId',
  '/organizations',
  '/organizations/$organizationId',
  '/first-steps',
] as const

/** The path segments in routes.tsx. */
const knownPieces = [
  '/',
  '/sign-in',
  '/link/$token',
  '/account',
  '/p/$projectId',
  '/inbox',
  '/$view',
  '/$number',
  '/contacts',
  '/$contactId',
  '/organizations',
  '/$organizationId',
  '/settings',
  '/first-steps',
]

/** The values of path parameters. */
export type Values = Record<string, string>

function fill(path: string, values: Values): string {
  return path.replace(/\$(\w+)/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`The test gives no ${name} for ${path}`)
    return value
  })
}

export const pagesForAll = (values: Values): string[] =>
  ['/sign-in', '/link/nothing', '/link/$token'].map(path => fill(path, values))

export function pagesOfPerson(values: Values): string[] {
  const unknown = listOf('routes.tsx').filter(path => !knownPieces.includes(path))
  if (unknown.length > 0) throw new Error(`List the pages of ${unknown.join(', ')} in test/pages.ts`)
  const groups = ['pages.ts', 'email-pages.ts', 'telegram-pages.ts', 'channel-pages.ts']
  const settings = groups.flatMap(file => listOf(`settings/${file}`))
  const project = [...places, ...settings.map(path => `/settings/${path}`)]
  return [
    ...listOf('account/account-pages.ts').map(path => `/account/${path}`),
    '/account/nothing',
    ...project.map(path => `/p/$projectId${path}`),
  ].map(path => fill(path, values))
}
