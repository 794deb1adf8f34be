import type { TSchema } from 'typebox'
import { sha256 } from './crypto.ts'

/** Creates a realistic value for a JSON Schema, the same every time, so that generated documents do not change. */

export interface Shape {
  type?: string | string[]
  enum?: unknown[]
  properties?: Record<string, Shape>
  required?: string[]
  items?: Shape
  format?: string
  minimum?: number
  examples?: unknown[]
}

/** Known values by path (`ticket.created.status`) or by the name of the field; undefined omits the field. */
export interface KnownSamples {
  byPath: Record<string, unknown>
  byName: Record<string, unknown>
  idOf(name: string, path: string): string
}

/** The example id of a noun, the same everywhere. */
export const sampleId = (noun: string): string =>
  `0197f3c2-6a1e-7c3a-9d0b-${sha256(noun).toString('hex').slice(0, 12)}`

export function sampleOf(schema: TSchema, known: KnownSamples, path: string, name = ''): unknown {
  const shape: Shape = schema
  if (path in known.byPath) return known.byPath[path]
  const value = known.byName[name]
  if (name in known.byName && (!shape.enum || shape.enum.includes(value))) return value
  if (shape.format === 'uuid') return known.idOf(name, path)
  if (shape.examples) return shape.examples[0]
  if (shape.enum) return shape.enum[0]
  if (shape.properties) return sampleObject(shape.properties, known, path)
  return shape.items ? [sampleOf(shape.items, known, path)] : plainSample(shape)
}

/** A record in a list has the same path as a single record. */
const within = (path: string, name: string): string => (name === 'items' ? path : `${path}.${name}`)

const sampleObject = (properties: Record<string, Shape>, known: KnownSamples, path: string) =>
  Object.fromEntries(
    Object.entries(properties)
      .map(([name, shape]) => [name, sampleOf(shape, known, within(path, name), name)] as const)
      .filter(([, value]) => value !== undefined),
  )

function plainSample({ type, minimum = 1 }: Shape): unknown {
  const types = [type].flat()
  if (types.includes('null')) return null
  if (types.includes('integer') || types.includes('number')) return minimum
  if (types.includes('boolean')) return false
  return types.includes('object') ? {} : 'text'
}
