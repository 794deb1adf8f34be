import { Ajv2020 } from 'ajv/dist/2020.js'
import { describeApi } from '../../src/docs/files.ts'

/** The OpenAPI document as a client sees it. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects to be there
export const document: any = JSON.parse(JSON.stringify(describeApi()))

const ajv = new Ajv2020({ strict: false, validateFormats: false })
ajv.addSchema(document, 'api')

/**
 * The reason why a value does not match a schema, or null if it does. References in the schema point into the
 * document.
 */
export function misfit(schema: object, value: unknown): string | null {
  const moved = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api#/'))
  return ajv.validate(moved, value) ? null : ajv.errorsText()
}

/** The component that a reference points to, or the object itself if it is not a reference. */
export function resolve(found: { $ref?: string }) {
  const [, kind, name] = /^#\/components\/(\w+)\/(.+)$/.exec(found.$ref ?? '') ?? []
  return kind ? document.components[kind][name!] : found
}
