import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { publicApi } from '../app.ts'
import { widgetEndpoints } from '../channels/widget/api.ts'
import { root } from '../core/config/config.ts'
import type { Db } from '../core/db/db.ts'
import { dashboardGroups } from '../dashboard.ts'
import type { Json } from './components.ts'
import { printConfig } from './config-page.ts'
import { describeOwnApi } from './dashboard.ts'
import { printErrors } from './errors-page.ts'
import { printEvents } from './events-page.ts'
import { buildOpenApi } from './openapi.ts'
import { dumpSchema } from './schema-dump.ts'
import { printPaths, printSchemas } from './types.ts'

export interface Document {
  /** Relative to Deskbell's own folder. */
  path: string
  text: string
}

/** Operations need dependencies only to run, not to be described. */
const noDeps = {} as Parameters<typeof publicApi>[0] & Parameters<typeof dashboardGroups>[0]

export const describeApi = () => buildOpenApi(publicApi(noDeps))

/** The document of an internal API, and its types for the pages. */
function printOwnApi(name: string, document: Json): Document[] {
  const path = `docs/${name}.json`
  const { schemas, parts } = printSchemas(document, path)
  return [
    { path, text: `${JSON.stringify(document, null, 2)}\n` },
    { path: `web/${name}/schemas.d.ts`, text: schemas },
    { path: `web/${name}/parts.d.ts`, text: parts },
    { path: `web/${name}/api.d.ts`, text: printPaths(document, path) },
  ]
}

const describeDashboard = (): Json =>
  describeOwnApi({
    title: 'Deskbell dashboard',
    url: '/api/dashboard',
    groups: dashboardGroups(noDeps),
  })

const describeWidget = (): Json =>
  describeOwnApi({
    title: 'Deskbell widget',
    url: '/api/widget',
    groups: { '/projects/{project_id}': widgetEndpoints({} as Parameters<typeof widgetEndpoints>[0]) },
  })

/** Every generated file with its current content. */
export const printDocuments = async (db: Db): Promise<Document[]> => [
  { path: 'docs/openapi.json', text: `${JSON.stringify(describeApi(), null, 2)}\n` },
  ...printOwnApi('dashboard', describeDashboard()),
  ...printOwnApi('widget', describeWidget()),
  { path: 'docs/events.md', text: printEvents() },
  { path: 'docs/errors.md', text: printErrors() },
  { path: 'docs/config.md', text: printConfig() },
  { path: 'migrations/schema.sql', text: await dumpSchema(db) },
]

export function isStale({ path, text }: Document): boolean {
  try {
    return readFileSync(join(root, path), 'utf8') !== text
  } catch {
    return true
  }
}
