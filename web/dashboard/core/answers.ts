import type { components, paths } from '../api.d.ts'

/** A schema of the API by its name: `Shape<'Ticket'>`. */
export type Shape<Name extends keyof components['schemas']> = components['schemas'][Name]

/** The successful response of an operation: `AnswerOf<'/me', 'get'>`. */
export type AnswerOf<
  Path extends keyof paths,
  Method extends keyof paths[Path],
> = paths[Path][Method] extends {
  responses: infer Answers
}
  ? Answers[keyof Answers & (200 | 201)] extends { content: { 'application/json': infer Body } }
    ? Body
    : never
  : never
