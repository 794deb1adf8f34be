import { Ajv2020 } from 'ajv/dist/2020.js'
import { describeApi } from '../../src/docs/files.ts'

/** The OpenAPI document as a stranger reads it. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects to be there
export const document: any = JSON.parse(JSON.stringify(describeApi()))

const ajv = new Ajv2020({ strict: false, validateFormats: false })
ajv.addSchema(document, 'api')

/** Why a value does not fit a schema, whose references lead into the document; null when it does. */
export function misfit(schema: object, value: unknown): string | null {
  const moved = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api#/'))
  return ajv.validate(moved, value) ? null : ajv.errorsText()
}

/** What a reference into the components leads to, or the thing itself. */
export function resolve(found: { $ref?: string }) {
  const [, kind, name] = /^#\/components\/(\w+)\/(.+)$/.exec(found.$ref ?? '') ?? []
  return kind ? document.components[kind][name!] : found
}
