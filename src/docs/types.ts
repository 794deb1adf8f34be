import { asList, asRecord, isRecord, propertyOf } from '../core/objects.ts'
import type { Json } from './components.ts'

/**
 * Prints the document of an internal API as TypeScript, in the form that openapi-fetch uses. Its own generator needs an
 * older TypeScript than ours.
 */

const quote = (text: string): string => JSON.stringify(text)

const union = (types: string[]): string => [...new Set(types)].join(' | ') || 'never'

function printObject({ properties, required, additionalProperties }: Json): string {
  const fields = Object.entries(asRecord(properties)).map(
    ([name, schema]) => `${quote(name)}${asList(required).includes(name) ? '' : '?'}: ${printType(schema)}`,
  )
  const rest = isRecord(additionalProperties) ? additionalProperties : null
  if (!fields.length) return `Record<string, ${rest ? printType(rest) : 'unknown'}>`
  return `{ ${fields.join('; ')} }`
}

const plain: Record<string, string> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
}

function printNamed(type: string, schema: Json): string {
  if (type === 'array') return `(${printType(schema.items)})[]`
  if (type === 'object') return printObject(schema)
  return plain[type] ?? 'unknown'
}

function printType(given: unknown): string {
  const schema = asRecord(given)
  if (schema.$ref) return `components['schemas'][${quote(String(schema.$ref).split('/').at(-1)!)}]`
  const values = schema.enum ?? ('const' in schema ? [schema.const] : null)
  if (values) return union(asList(values).map(value => JSON.stringify(value)))
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return union(asList(choices).map(printType))
  if (schema.format === 'binary') return 'Blob'
  if (schema.patternProperties)
    return `Record<string, ${union(Object.values(asRecord(schema.patternProperties)).map(printType))}>`
  return schema.type === undefined
    ? 'unknown'
    : union([schema.type].flat().map(type => printNamed(String(type), schema)))
}

const printContent = (content: unknown): string =>
  isRecord(content)
    ? `{ ${Object.entries(content)
        .map(([type, media]) => `${quote(type)}: ${printType(propertyOf(media, 'schema'))}`)
        .join('; ')} }`
    : 'never'

function printParameters(parameters: Json[]): string {
  const kinds = ['path', 'query'].map(kind => {
    const own = parameters.filter(parameter => parameter.in === kind)
    if (!own.length) return `${kind}?: never`
    const fields = own.map(
      ({ name, required, schema }) => `${quote(String(name))}${required ? '' : '?'}: ${printType(schema)}`,
    )
    const isOptional = own.every(({ required }) => !required)
    return `${kind}${isOptional ? '?' : ''}: { ${fields.join('; ')} }`
  })
  return `{ ${kinds.join('; ')}; header?: never; cookie?: never }`
}

function printOperation({ parameters, requestBody, responses }: Json): string {
  const body = isRecord(requestBody)
    ? `requestBody${requestBody.required ? '' : '?'}: { content: ${printContent(requestBody.content)} }`
    : 'requestBody?: never'
  const answers = Object.entries(asRecord(responses)).map(([status, response]) => {
    const content = propertyOf(response, 'content')
    return `${status}: { headers: Record<string, unknown>; content${content ? '' : '?'}: ${printContent(content)} }`
  })
  const given = printParameters(asList(parameters).map(asRecord))
  return `{ parameters: ${given}; ${body}; responses: { ${answers.join('; ')} } }`
}

const head = (path: string): string => `// Made by bin/docs of ${path}; do not edit.`

const printLines = (schemas: [string, unknown][], indent: string): string =>
  schemas.map(([name, schema]) => `${indent}${name}: ${printType(schema)}`).join('\n')

/**
 * The texts of a schemas.d.ts, with what operations take and return, and of a parts.d.ts, with what these consist of, generated from
 * the document at this path.
 */
export function printSchemas(document: Json, path: string): { schemas: string; parts: string } {
  const operations = JSON.stringify(document.paths)
  const all = Object.entries(asRecord(propertyOf(document.components, 'schemas')))
  const isUsed = ([name]: [string, unknown]): boolean => operations.includes(`"#/components/schemas/${name}"`)
  const schemas = `${head(path)}
import type { parts } from './parts.d.ts'

export interface components {
  schemas: parts & {
${printLines(all.filter(isUsed), '    ')}
  }
}
`
  const parts = `${head(path)}
import type { components } from './schemas.d.ts'

export interface parts {
${printLines(
  all.filter(one => !isUsed(one)),
  '  ',
)}
}
`
  return { schemas, parts }
}

/** The text of an api.d.ts, generated from the document at this path. */
export function printPaths(document: Json, path: string): string {
  const operations = Object.entries(asRecord(document.paths)).map(([path, methods]) => {
    const own = Object.entries(asRecord(methods)).map(
      ([method, operation]) => `${method}: ${printOperation(asRecord(operation))}`,
    )
    return `  ${quote(path)}: { ${own.join('; ')} }`
  })
  return `${head(path)}
import type { components } from './schemas.d.ts'

export type { components }

export interface paths {
${operations.join('\n')}
}
`
}
