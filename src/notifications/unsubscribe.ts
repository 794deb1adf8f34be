import { createHmac } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Config } from '../core/config/config.ts'
import { isSame, type Vault } from '../core/crypto.ts'
import type { Db } from '../core/db/db.ts'
import { BriefError } from '../core/errors.ts'
import { paramOf } from '../core/http/param.ts'
import { escapeHtml } from '../core/text/markdown.ts'
import type { Limiter } from '../limits/limiter.ts'
import { spendAddressBudget } from '../limits/rate-limit.ts'
import { updateDigestToOff } from './digest-queries.ts'
import { digestTextsOf } from './texts/texts.ts'

/** The link in digests, by which a mail program or a person ends them without signing in (RFC 8058). */

const sign = (vault: Vault, userId: string): Buffer =>
  createHmac('sha256', vault.derive('digest')).update(userId).digest()

export const unsubscribeUrlOf = (vault: Vault, { publicUrl }: Pick<Config, 'publicUrl'>, userId: string) =>
  `${publicUrl.replace(/\/$/, '')}/unsubscribe/${userId}.${sign(vault, userId).toString('base64url')}`

function readToken(vault: Vault, token: string): string {
  const [userId = '', signature = ''] = token.split('.')
  if (!isSame(Buffer.from(signature, 'base64url'), sign(vault, userId))) throw new BriefError('not_found')
  return userId
}

const headers = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; form-action 'self'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

function sendPage(reply: FastifyReply, body: string) {
  const { locale, direction, texts } = digestTextsOf(null)
  const title = escapeHtml(texts.page.title)
  return reply
    .headers(headers)
    .type('text/html; charset=utf-8')
    .send(`<!doctype html>
<html lang="${locale}" dir="${direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>
`)
}

export interface UnsubscribeDeps {
  config: Config
  db: Db
  vault: Vault
  limiter: Limiter
}

/** Requests of one address per minute. */
const budget = 30

/** Opening the link changes nothing, because mail scanners open links. */
export async function mountUnsubscribe(app: FastifyInstance, deps: UnsubscribeDeps): Promise<void> {
  await app.register(async pages => {
    pages.removeAllContentTypeParsers()
    pages.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: 4_096 }, async () => null)
    pages.addHook('onRequest', request => spendAddressBudget(deps.limiter, 'unsubscribe', request.ip, budget))
    pages.get('/unsubscribe/:token', async (request, reply) => {
      readToken(deps.vault, paramOf(request, 'token'))
      const { page } = digestTextsOf(null).texts
      const button = `<form method="post"><button>${escapeHtml(page.action)}</button></form>`
      return sendPage(reply, `<p>${escapeHtml(page.question)}</p>${button}`)
    })
    pages.post('/unsubscribe/:token', async (request, reply) => {
      await updateDigestToOff(deps.db, readToken(deps.vault, paramOf(request, 'token')))
      return sendPage(reply, `<p role="status">${escapeHtml(digestTextsOf(null).texts.page.done)}</p>`)
    })
  })
}
