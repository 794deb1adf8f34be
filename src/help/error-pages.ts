import type { FastifyReply, FastifyRequest } from 'fastify'
import { isTimeout } from '../core/db/db.ts'
import { ApiError } from '../core/errors.ts'
import { propertyOf } from '../core/objects.ts'
import { chooseLocale } from './accept-language.ts'
import { renderBareLayout } from './layout.ts'
import { sendPage } from './send.ts'
import { languages, wordingOf } from './texts/texts.ts'
import { themeOf } from './theme.ts'

/** Error pages outside of a help centre. */

export type ErrorPageKind = 'missing' | 'closed' | 'busy' | 'broken'

const theme = themeOf(null)
const spoken = Object.keys(languages)

export function sendErrorPage(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  trouble: ErrorPageKind,
) {
  const locale = chooseLocale(request.headers['accept-language'], spoken, 'en')
  const wording = wordingOf(locale)
  const text = (part: 'Title' | 'Text'): string => wording.texts[`${trouble}${part}`]
  const html = renderBareLayout(wording, text('Title'), text('Text'), theme)
  reply.code(status).header('vary', 'accept-language')
  return sendPage(request, reply, { html, theme, locale })
}

/** Answers every error with a page. */
export function sendFailure(error: Error, request: FastifyRequest, reply: FastifyReply) {
  if (error instanceof ApiError && error.status === 429) {
    return sendErrorPage(request, reply.headers(error.headers), 429, 'busy')
  }
  if (isTimeout(error)) return sendErrorPage(request, reply.header('retry-after', '60'), 503, 'busy')
  const status = Number(propertyOf(error, 'statusCode') ?? 500)
  if (status < 500) return sendErrorPage(request, reply, status, 'broken')
  request.log.error({ err: error, url: request.url }, 'help page failed')
  return sendErrorPage(request, reply, 500, 'broken')
}
