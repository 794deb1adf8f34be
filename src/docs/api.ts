import { type Endpoint, endpoint } from '../core/endpoint.ts'
import { openApiDocument } from './names.ts'
import { buildOpenApi } from './openapi.ts'

const documentEndpoint = (print: () => string): Endpoint =>
  endpoint({
    method: 'GET',
    path: '/openapi.json',
    tag: 'Documentation',
    summary: 'Read this document',
    description: 'Needs no key. `/docs` on this server shows it as a page.',
    responses: { 200: openApiDocument },
    errors: [],
    isPublic: true,
    run: async ({ reply }) => {
      // Decision 46: the only response that pages of other sites may read.
      reply.header('access-control-allow-origin', '*').type('application/json; charset=utf-8')
      return print()
    },
  })

/** Adds an operation that returns the document of all operations, including itself. */
export function withDocument(definitions: Endpoint[], origin?: string): Endpoint[] {
  let printed: string | null = null
  const all: Endpoint[] = [
    ...definitions,
    documentEndpoint(() => (printed ??= JSON.stringify(buildOpenApi(all, origin)))),
  ]
  return all
}
