import type { TSchema } from 'typebox'
import type { Endpoint } from '../core/endpoint.ts'
import { asRecord } from '../core/objects.ts'
import { type KnownSamples, type Shape, sampleId, sampleOf } from '../core/sample.ts'
import { componentName } from './components.ts'
import { after, byName, byPath } from './example-values.ts'
import { operationId } from './operation-id.ts'

/** Examples of requests and responses: those of the definition, else generated from its schemas. */

const sameAs: Record<string, string> = {
  internal: 'contact',
  last_message: 'message',
  sender: 'contact',
}

function idOf(name: string, path: string): string {
  const noun = name === 'id' ? path.split('.').at(-2)! : name.replace(/_id$/, '')
  return sampleId(sameAs[noun] ?? noun)
}

const known: KnownSamples = { byName, byPath, idOf }

/** The noun of a response: `ticket` for both Ticket and TicketList. */
function nounOf(schema: TSchema): string {
  const name = componentName(schema) ?? 'answer'
  return name.replace(/^(Listed|Registered|Created)|List$/g, '').toLowerCase()
}

export function exampleAnswer(definition: Endpoint, schema: TSchema): unknown {
  if (definition.examples?.answer !== undefined) return definition.examples.answer
  const made = sampleOf(schema, known, nounOf(schema))
  return { ...asRecord(made), ...after[operationId(definition)] }
}

/** The required fields, and those with an example in the schema. */
export function exampleBody({ examples, body }: Endpoint): unknown {
  if (examples?.body !== undefined) return examples.body
  const { properties = {}, required = [] }: Shape = body ?? {}
  const shown = Object.entries(properties).filter(
    ([name, { examples }]) => examples || required.includes(name),
  )
  return sampleOf({ properties: Object.fromEntries(shown) }, known, 'body')
}
