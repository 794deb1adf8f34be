import type { components, paths } from '../api.d.ts'

/** A shape of the API by its name: `Shape<'Ticket'>`. */
export type Shape<Name extends keyof components['schemas']> = components['schemas'][Name]

/** What an operation answers when it has worked: `AnswerOf<'/me', 'get'>`. */
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
