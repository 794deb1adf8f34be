import Type, { type TObject } from 'typebox'
import { asRecord, isOneOf, stringOf } from '../core/objects.ts'
import { sampleId } from '../core/sample.ts'
import { id } from '../core/schema.ts'
import { catalogue, eventTypes, subscribable } from './catalogue.ts'
import { printEnvelope } from './envelope.ts'
import { sampleData } from './samples.ts'

/** The documentation of an event: the schema of its envelope, and an example. */
export interface EventDescription {
  name: string
  /** The same as `name`, under the name of the field in the envelope. */
  type: string
  description: string
  schema: TObject
  sample: Record<string, unknown>
}

const testData = Type.Object(
  { webhook_id: id, message: Type.String() },
  { description: 'Sent by the test operation; it is not stored in the event log' },
)

export const dataSchemaOf = (name: string): TObject =>
  isOneOf(name, eventTypes) ? catalogue[name] : testData

const sampleDataOf = (name: string): object =>
  isOneOf(name, eventTypes)
    ? sampleData(name)
    : { webhook_id: sampleId('webhook'), message: 'This is a test event' }

function printSample(name: string): Record<string, unknown> {
  const data = JSON.stringify(sampleDataOf(name))
  const event = { id: sampleId('event'), type: name, data, created_at: '2026-01-15T10:30:00.123456' }
  return JSON.parse(printEnvelope(sampleId('workspace'), event))
}

const linksOf = (sample: Record<string, unknown>): TObject =>
  Type.Object(Object.fromEntries(Object.keys(asRecord(sample._links)).map(name => [name, Type.String()])), {
    description: 'URLs for GET, relative to the address of this server',
  })

function envelopeOf(name: string, sample: Record<string, unknown>): TObject {
  const { description: _, ...data }: TObject & { description?: string } = dataSchemaOf(name)
  return Type.Object({
    id: Type.String({ pattern: '^[0-9a-f]{32}$', description: 'The same in every delivery of the event' }),
    type: Type.Unsafe<string>({ type: 'string', const: name }),
    timestamp: Type.String({ format: 'date-time', description: 'With microseconds and offset' }),
    workspace_id: id,
    data,
    _links: linksOf(sample),
  })
}

function describeEvent(name: string): EventDescription {
  const sample = printSample(name)
  const description = stringOf(dataSchemaOf(name), 'description') ?? ''
  return { name, type: name, description, schema: envelopeOf(name, sample), sample }
}

/** Every event that a subscription may list. */
export const describeEvents = (): EventDescription[] => subscribable.map(describeEvent)
