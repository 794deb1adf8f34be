import type { FastifyInstance, FastifyRequest } from 'fastify'
import { maxTotal } from '../core/paging.ts'
import { Missing, type Visit } from './page.ts'

export const paramOf = (request: FastifyRequest, name: string): string =>
  (request.params as Record<string, string>)[name]!

/** A value of the query, the first of several; control characters belong to no search. */
export function queryOf(request: FastifyRequest, name: string): string {
  const value = [(request.query as Record<string, string | string[]>)[name]].flat()[0] ?? ''
  return value
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, 200)
    .toWellFormed()
}

/** The number of a page; there is none beyond where lists end. */
export function pageNumberOf(request: FastifyRequest, visit: Visit, pageSize: number): number {
  const text = queryOf(request, 'page') || '1'
  const page = /^[1-9]\d{0,4}$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY
  if (page * pageSize > maxTotal) throw new Missing(visit)
  return page
}

/** Bodies are short forms and nothing else. */
export function acceptForms(app: FastifyInstance): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 1_024 },
    async (_request: FastifyRequest, text: string) => text,
  )
}
