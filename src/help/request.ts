import type { FastifyInstance, FastifyRequest } from 'fastify'
import { propertyOf } from '../core/objects.ts'
import { maxTotal } from '../core/paging/paging.ts'
import { Missing, type Visit } from './page.ts'

/** The first value of a query parameter, without control characters. */
export function queryOf(request: FastifyRequest, name: string): string {
  const [value = ''] = [propertyOf(request.query, name)].flat()
  return String(value)
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, 200)
    .toWellFormed()
}

/** The page number. Throws a 404 beyond the end of the longest list. */
export function pageNumberOf(request: FastifyRequest, visit: Visit, pageSize: number): number {
  const text = queryOf(request, 'page') || '1'
  const page = /^[1-9]\d{0,4}$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY
  if (page * pageSize > maxTotal) throw new Missing(visit)
  return page
}

/** Accepts short forms as the only kind of body. */
export function acceptForms(app: FastifyInstance): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 1_024 },
    async (_request: FastifyRequest, text: string) => text,
  )
}
