import type { ErrorObject } from 'ajv'
import type { Problem } from '../errors.ts'

/** Turns the errors of Ajv into the validation list, worded like those of FastAPI and Pydantic. */

const typeNames: Record<string, [string, string]> = {
  string: ['string_type', 'Input should be a valid string'],
  integer: ['int_type', 'Input should be a valid integer'],
  number: ['float_type', 'Input should be a valid number'],
  boolean: ['bool_type', 'Input should be a valid boolean'],
  array: ['list_type', 'Input should be a valid list'],
  object: ['dict_type', 'Input should be a valid object'],
  null: ['none_required', 'Input should be null'],
}

const formats: Record<string, [string, string]> = {
  email: ['value_error', 'Input should be a valid email address'],
  digits: ['value_error', `Input should be digits: an integer from 1 to ${Number.MAX_SAFE_INTEGER}`],
  tag: ['value_error', 'Input should contain a visible character, and no comma or control character'],
  name: ['value_error', 'Input should contain a visible character, and no control character'],
  time: ['datetime_parsing', 'Input should be an ISO 8601 time or a date'],
  text: ['value_error', 'Input should not contain NUL characters or lone surrogates'],
}

type Shape = Pick<Problem, 'type' | 'msg' | 'ctx'>

const words = (values: unknown[]): string => {
  const quoted = values.map(value => (typeof value === 'string' ? `'${value}'` : String(value)))
  return quoted.length < 2 ? quoted.join('') : `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`
}

const bound =
  (type: string, text: string, key: string) =>
  (limit: unknown): Shape => ({
    type,
    msg: `${text} ${limit}`,
    ctx: { [key]: limit },
  })

const bounds: Record<string, (limit: unknown) => Shape> = {
  maximum: bound('less_than_equal', 'Input should be less than or equal to', 'le'),
  minimum: bound('greater_than_equal', 'Input should be greater than or equal to', 'ge'),
  maxLength: bound('string_too_long', 'Length of the input should be at most', 'max_length'),
  minLength: bound('string_too_short', 'Length of the input should be at least', 'min_length'),
  maxItems: bound('too_long', 'Number of items should be at most', 'max_length'),
  minItems: bound('too_short', 'Number of items should be at least', 'min_length'),
  maxProperties: bound('too_long', 'Number of keys should be at most', 'max_length'),
}

/** The name of the first type, and a description of all. */
function describeTypes([first = 'null', ...others]: string[]): [string, string] {
  const [type, msg] = typeNames[first]!
  const nouns = others.map(other => typeNames[other]![1].split(' ').at(-1)!)
  return [
    type,
    [msg, ...nouns.slice(0, -1)].join(', ') +
      nouns
        .slice(-1)
        .map(noun => ` or ${noun}`)
        .join(''),
  ]
}

function shape(error: ErrorObject, fromText: boolean): Shape {
  const { keyword, params } = error
  if (keyword === 'required') return { type: 'missing', msg: 'Field required' }
  if (keyword === 'enum') {
    const allowed = [params.allowedValues].flat().filter(value => value !== null)
    return { type: 'enum', msg: `Input should be ${words(allowed)}`, ctx: { expected: words(allowed) } }
  }
  if (keyword === 'type') {
    const [type, msg] = describeTypes([params.type].flat().filter(type => type !== 'null'))
    return fromText
      ? { type: type.replace(/_type$/, '_parsing'), msg: `${msg}, unable to parse the text` }
      : { type, msg }
  }
  if (keyword === 'format') {
    const [type, msg] = formats[params.format] ?? ['value_error', `Input should be a valid ${params.format}`]
    return { type, msg }
  }
  if (keyword === 'pattern') {
    return {
      type: 'string_pattern_mismatch',
      msg: `Input should match ${params.pattern}`,
      ctx: { pattern: params.pattern },
    }
  }
  return (
    bounds[keyword]?.(params.limit) ?? { type: 'value_error', msg: error.message ?? 'Input is not valid' }
  )
}

const step = (part: string): string | number => {
  const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
  return /^(0|[1-9]\d*)$/.test(key) ? Number(key) : key
}

export function toProblem(error: ErrorObject, part: string, fromText: boolean): Problem {
  const loc = [part, ...error.instancePath.split('/').slice(1).map(step)]
  if (error.keyword === 'required') loc.push(error.params.missingProperty)
  const { type, msg, ctx } = shape(error, fromText)
  return { type, loc, msg, input: error.data, ...(ctx && { ctx }) }
}
