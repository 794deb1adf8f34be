import type { Endpoint } from '../core/endpoint.ts'
import { componentName, type Json } from './components.ts'
import { operationId } from './operation-id.ts'

/** Links of a response: the operations whose path can be filled from its record. */

const parametersOf = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)

interface Shown {
  /** The path parameter that takes the record's `id`. */
  parameter: string
  fields: Record<string, unknown>
  /** Where the id is in the body. */
  at: string
}

interface Shape {
  properties?: Record<string, Shape>
  items?: Shape
}

function shownBy(schema: Shape): Shown | null {
  const items = schema.properties?.items?.items
  const record = items ?? schema
  const noun = componentName(record)?.replace(/^(Created|Listed|Registered)/, '')
  if (!noun || !record.properties || !('id' in record.properties)) return null
  return {
    parameter: `${noun.toLowerCase()}_id`,
    fields: record.properties,
    at: items ? '/items/0' : '',
  }
}

function sourceOf(name: string, { parameter, fields, at }: Shown): string | null {
  if (name === parameter) return `$response.body#${at}/id`
  return name in fields ? `$response.body#${at}/${name}` : null
}

function linkTo({ path }: Endpoint, shown: Shown): Json | null {
  const sources = parametersOf(path).map(name => [name, sourceOf(name, shown)] as const)
  const isFilled = sources.length > 0 && sources.every(([, source]) => source !== null)
  return isFilled ? Object.fromEntries(sources) : null
}

/** The links of a response that creates a record or lists some. Others would only repeat them. */
export function describeLinks(definition: Endpoint, status: number, all: Endpoint[]): Json {
  const schema = definition.responses[status]
  const shown = schema && shownBy(schema)
  const isSource = status > 200 || (shown && shown.at !== '')
  if (!shown || !isSource) return {}
  const links = all.flatMap(target => {
    const parameters = linkTo(target, shown)
    const id = operationId(target)
    return parameters ? [[id, { operationId: id, parameters }] as const] : []
  })
  return links.length ? { links: Object.fromEntries(links) } : {}
}
