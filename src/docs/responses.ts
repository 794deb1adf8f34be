import type { TSchema } from 'typebox'
import { type Endpoint, isBytes } from '../core/endpoint.ts'
import { type Brief, briefs, type Code, codes, type PublicCode } from '../core/errors.ts'
import { asList, asRecord, isOneOf, keysOf, propertyOf } from '../core/objects.ts'
import { sampleId } from '../core/sample.ts'
import type { Components, Json } from './components.ts'
import * as bodies from './error-bodies.ts'
import { codeWords } from './error-words.ts'
import { exampleAnswer } from './examples.ts'
import { describeLinks } from './links.ts'
import { answerHeaders, refer } from './shared.ts'

/** One failure of an operation: status, shape and example of the body. */
interface Failure {
  status: number
  name: string
  schema: TSchema
  body: unknown
}

export const envelopeExample = (code: PublicCode): Json => ({
  error_code: code,
  error_message: codes[code][1],
  detail: codeWords[code].detail,
  request_id: sampleId('request').replaceAll('-', ''),
})

function failureOf(name: Code | Brief): Failure {
  if (isOneOf(name, keysOf(codes))) {
    return { status: codes[name][0], name, schema: bodies.error, body: envelopeExample(name) }
  }
  if (isOneOf(name, keysOf(briefs))) {
    return { status: briefs[name][0], name, schema: bodies.brief, body: { detail: briefs[name][1] } }
  }
  throw new Error(`The public API has no error ${name}`)
}

/** The most likely validation error of this operation. */
function invalidExample({ query, body, parts }: Endpoint): Json {
  const [required] = asList(propertyOf(body ?? parts, 'required'))
  if (required) return { type: 'missing', loc: ['body', required], msg: 'Field required', input: {} }
  if (query && 'page_size' in query.properties) {
    const msg = 'Input should be less than or equal to 100'
    return { type: 'less_than_equal', loc: ['query', 'page_size'], msg, input: 101, ctx: { le: 100 } }
  }
  return {
    type: 'json_invalid',
    loc: ['body', 0],
    msg: 'JSON decode error',
    input: {},
    ctx: { error: 'Unexpected end of JSON input' },
  }
}

const invalid = (definition: Endpoint): Failure => ({
  status: 422,
  name: 'schema',
  schema: bodies.validationList,
  body: { detail: [invalidExample(definition)] },
})

function listFailures(definition: Endpoint): Failure[] {
  const { errors, query, body, parts, isConditional, isIdempotent } = definition
  const own = new Set(errors)
  if (isIdempotent) own.add('VALIDATION_ERROR')
  const checked = query || body || parts || isConditional || isIdempotent
  return [...(checked ? [invalid(definition)] : []), ...[...own].map(failureOf)]
}

const failureHeaders = (failures: Failure[]): Json =>
  Object.fromEntries(
    ['X-Request-ID', ...(failures.some(({ status }) => status === 412) ? ['ETag'] : [])].map(name => [
      name,
      refer('headers', name),
    ]),
  )

/** Merges failures with the same status: one of their shapes, with an example of each. */
function mergeFailures(failures: Failure[], components: Components): Json {
  const schemas = [...new Set(failures.map(({ schema }) => schema))].map(schema => components.refer(schema))
  const examples = Object.fromEntries(failures.map(({ name, body }) => [name, { value: body }]))
  const schema = schemas.length === 1 ? schemas[0] : { oneOf: schemas }
  return {
    description: failures.map(({ name }) => (name === 'schema' ? 'validation list' : name)).join(', '),
    headers: failureHeaders(failures),
    content: { 'application/json': { schema, examples } },
  }
}

const respond = (
  components: Components,
  description: string,
  headers: string[],
  failures: Failure[],
): Json => ({
  ...mergeFailures(failures, components),
  description,
  headers: Object.fromEntries(['X-Request-ID', ...headers].map(name => [name, refer('headers', name)])),
})

/** The responses that all operations share. */
export function sharedResponses(components: Components): Json {
  const name = 'MAINTENANCE_MODE'
  const maintenance = { status: 503, name, schema: bodies.maintenance, body: bodies.maintenanceExample }
  const keys = [failureOf('key_missing'), failureOf('key_invalid')]
  const failure = (description: string, headers: string[], code: PublicCode) =>
    respond(components, description, headers, [failureOf(code)])
  return {
    Unauthorized: respond(components, 'The API key is missing or invalid', ['WWW-Authenticate'], keys),
    PayloadTooLarge: failure('The body is larger than 1 MiB', [], 'PAYLOAD_TOO_LARGE'),
    TooManyRequests: failure('The budget of this minute is used up', ['Retry-After'], 'RATE_LIMIT_EXCEEDED'),
    InternalError: failure('An unexpected error; retry with increasing delays', [], 'INTERNAL_ERROR'),
    Maintenance: respond(components, 'The platform is under maintenance', ['Retry-After'], [maintenance]),
  }
}

/** References to the shared responses. */
const common = ({ isPublic, body }: Endpoint): Json => ({
  ...(!isPublic && { 401: refer('responses', 'Unauthorized') }),
  ...(body && { 413: refer('responses', 'PayloadTooLarge') }),
  429: refer('responses', 'TooManyRequests'),
  500: refer('responses', 'InternalError'),
  503: refer('responses', 'Maintenance'),
})

const statusWords: Record<number, string> = {
  200: 'Done',
  201: 'Created',
  202: 'Accepted',
  204: 'Done; no body',
  206: 'The part that `Range` requests',
  302: 'The file is at the URL in `Location`, which works for five minutes',
  304: 'Not changed since the `ETag` of `If-None-Match`',
}

/** Gives a generic media type too, for client generators that do not know image types. */
const describeBytes = ({ contentMediaType, ...schema }: Json): Json => ({
  ...(contentMediaType ? { [String(contentMediaType)]: { schema } } : {}),
  'application/octet-stream': { schema },
})

function describeAnswer(definition: Endpoint, status: number, components: Components, all: Endpoint[]): Json {
  const schema = definition.responses[status]!
  const description = statusWords[status]!
  const headers = answerHeaders(definition, status)
  if (!schema) return { description, headers }
  if (isBytes(schema)) return { description, headers, content: describeBytes(asRecord(schema)) }
  const example = exampleAnswer(definition, schema)
  return {
    description,
    headers,
    content: { 'application/json': { schema: components.refer(schema), example } },
    ...describeLinks(definition, status, all),
  }
}

/** All responses of an operation, by status. */
export function describeResponses(definition: Endpoint, components: Components, all: Endpoint[]): Json {
  const statuses = Object.keys(definition.responses).map(Number)
  const answers = statuses.map(status => [status, describeAnswer(definition, status, components, all)])
  const failures = Map.groupBy(listFailures(definition), ({ status }) => status)
  return {
    ...Object.fromEntries(answers),
    ...common(definition),
    ...Object.fromEntries([...failures].map(([status, list]) => [status, mergeFailures(list, components)])),
  }
}
