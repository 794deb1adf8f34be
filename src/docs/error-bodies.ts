import Type from 'typebox'
import { codes } from '../core/errors.ts'
import { nullable, oneOf, openObject } from '../core/schema.ts'

/** The three bodies of errors, and a fourth for maintenance: spec §7.2 and §7.4. */

export const error = Type.Object(
  {
    error_code: oneOf(Object.keys(codes), { description: 'Never changes its meaning; branch on it' }),
    error_message: Type.String(),
    detail: nullable(openObject),
    request_id: Type.String({ description: 'The same as the header X-Request-ID' }),
  },
  { description: 'Common envelope: a rule of Deskbell refuses the request' },
)

export const brief = Type.Object(
  { detail: Type.String() },
  {
    description:
      'Brief form: the request failed before any rule was applied, or names something that does not exist',
  },
)

export const problem = Type.Object({
  type: Type.String({ examples: ['missing'] }),
  loc: Type.Array(Type.Unsafe<string | number>({ type: ['string', 'integer'] }), {
    description: 'Path to the value; begins with body, query, path or header',
  }),
  msg: Type.String(),
  input: Type.Unknown({
    description: 'What was sent; null if nothing was sent, or more than 1,000 characters',
  }),
  ctx: Type.Optional(openObject),
})

export const validationList = Type.Object(
  { detail: Type.Array(problem) },
  { description: 'Validation list: the request does not fit the schema' },
)

export const maintenance = Type.Object(
  { error_code: oneOf(['MAINTENANCE_MODE']), error_message: Type.String() },
  { description: 'Maintenance: only these two fields' },
)

export const maintenanceExample = {
  error_code: 'MAINTENANCE_MODE',
  error_message: 'The platform is under maintenance. Try again in a few minutes.',
}
