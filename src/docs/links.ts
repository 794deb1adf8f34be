import type { TSchema } from 'typebox'
import type { Endpoint } from '../core/endpoint.ts'
import { componentName, type Json } from './components.ts'
import { operationId } from './operation-id.ts'

/** Where an answer leads: the operations whose path can be filled from the record that it shows. */

const parametersOf = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)

interface Shown {
  /** The path parameter that its `id` is a value of. */
  parameter: string
  fields: Record<string, unknown>
  /** Its place in the body. */
  at: string
}

type Shape = TSchema & { properties?: Record<string, TSchema>; items?: TSchema }

function shownBy(schema: Shape): Shown | null {
  const items = (schema.properties?.items as Shape | undefined)?.items as Shape | undefined
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

/** The links of an answer that makes a record or lists some; others would say the same again. */
export function describeLinks(definition: Endpoint, status: number, all: Endpoint[]): Json {
  const schema = definition.answers[status]
  const shown = schema && shownBy(schema as Shape)
  const isSource = status > 200 || (shown && shown.at !== '')
  if (!shown || !isSource) return {}
  const links = all.flatMap(target => {
    const parameters = linkTo(target, shown)
    const id = operationId(target)
    return parameters ? [[id, { operationId: id, parameters }] as const] : []
  })
  return links.length ? { links: Object.fromEntries(links) } : {}
}
