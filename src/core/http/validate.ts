import { Ajv, type ValidateFunction } from 'ajv'
import type { TObject, TSchema } from 'typebox'
import { isEmail } from '../email.ts'
import { InvalidRequest, type Problem } from '../errors.ts'
import { isName, isTag } from '../text/visible-text.ts'
import { parseTime } from '../time.ts'
import { toProblem } from './problems.ts'
import { fieldsOf, type Query, readQuery, typeOf } from './read-query.ts'

/** A positive integer that a JSON number holds exactly. */
const isNumber = (text: string): boolean => /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text))

const compiler = (allErrors: boolean) =>
  new Ajv({
    allErrors,
    verbose: true,
    strict: false,
    coerceTypes: false,
    formats: {
      email: isEmail,
      digits: isNumber,
      tag: isTag,
      name: isName,
      time: (text: string) => parseTime(text) !== null,
      uuid: true,
      uri: true,
      text: true,
    },
  })

/** Both compile a schema at its first use and keep the result, because most operations are not used in the first seconds of a server. */
const allErrorsCompiler = compiler(true)
const firstError = compiler(false)

export type Validate = (value: unknown, size?: number) => void

const reportAll = 64 * 1024

/** Reports every problem, but only the first one of a large body, so that an array of 500,000 wrong items stays cheap. */
export function compileBody(schema: TSchema): Validate {
  return (value, size = 0) => {
    const compiler = size > reportAll ? firstError : allErrorsCompiler
    check(compiler.compile(schema), value, 'body', () => false)
  }
}

const hasNul = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flat().some(hasNul)
    : String(value).includes('\0')

const refuseNul = (query: Record<string, unknown>): void => {
  const name = Object.keys(query).find(key => hasNul(query[key]))
  if (name === undefined) return
  throw new InvalidRequest([
    {
      type: 'value_error',
      loc: ['query', name],
      msg: 'Input should not contain NUL characters',
      input: query[name],
    },
  ])
}

export function compileQuery(schema: TObject): (query: Query) => Record<string, unknown> {
  const fields = fieldsOf(schema)
  const isText = (name: unknown) => !['string', 'array', undefined].includes(typeOf(fields[String(name)]))
  return query => {
    const read = readQuery(fields, query)
    refuseNul(read)
    check(allErrorsCompiler.compile(schema), read, 'query', isText)
    return read
  }
}

/** In a URL, a plus sign that is not encoded as %2B is read as a space. */
function hintAtPlus(problem: Problem): Problem {
  const { type, input, msg } = problem
  const isCut = type === 'datetime_parsing' && / \d\d(?::?\d\d)?$/.test(String(input))
  return isCut ? { ...problem, msg: `${msg}; encode the + of an offset as %2B in a URL` } : problem
}

function check(
  validate: ValidateFunction,
  value: unknown,
  part: string,
  fromText: (name: unknown) => boolean,
): void {
  if (validate(value)) return
  const problems: Problem[] = []
  const errors = validate.errors ?? []
  // A value of the wrong type for an enum is reported once, with the allowed values.
  const enums = new Set(errors.filter(error => error.keyword === 'enum').map(error => error.instancePath))
  for (const error of errors.slice(0, 100)) {
    if (error.keyword === 'type' && enums.has(error.instancePath)) continue
    const isText = error.keyword === 'type' && fromText(error.instancePath.split('/')[1])
    const problem = toProblem(error, part, isText)
    problems.push(part === 'query' ? hintAtPlus(problem) : problem)
  }
  throw new InvalidRequest(problems)
}
