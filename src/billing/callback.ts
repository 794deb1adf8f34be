import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../core/db/db.ts'
import { UserError } from '../core/user-error.ts'
import type { Limiter } from '../limits/limiter.ts'
import { spendAddressBudget } from '../limits/rate-limit.ts'
import type { StripeSettings } from './gateways/stripe.ts'
import { ForgedCallback, type Report, readReport } from './gateways/stripe-report.ts'
import { failPayment, findPayment, receivePayment } from './payments.ts'
import { billingTextsOf } from './texts/texts.ts'

/** The webhook endpoint for Stripe. Repeated, late or reordered calls lead to the same ledger. */

interface Deps {
  db: Db
  limiter: Limiter
  settings: StripeSettings
}

/** Requests of one address per minute: 20 a second are accepted, even if they arrive unevenly. */
const callbackBudget = 1_500

export function mountStripe(app: FastifyInstance, deps: Deps): void {
  app.addHook('onRequest', ({ ip }) => spendAddressBudget(deps.limiter, 'stripe', ip, callbackBudget))
  app.removeAllContentTypeParsers()
  // The signature covers the raw bytes.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_: FastifyRequest, bytes: Buffer) => bytes)
  app.post('/stripe', (request, reply) => answer(deps, request, reply))
  const { pageDone: done, pageCancelled: cancelled } = billingTextsOf(null).texts
  for (const [name, text] of Object.entries({ done, cancelled }))
    app.get(`/${name}`, async (_, reply) => reply.type('text/plain; charset=utf-8').send(`${text}\n`))
}

async function answer(deps: Deps, request: FastifyRequest, reply: FastifyReply) {
  const { status, body } = await take(deps, request)
  if (status >= 400) request.log.warn(body, 'A callback of Stripe was refused')
  return reply.code(status).send(body)
}

async function take({ db, settings }: Deps, { body, headers }: FastifyRequest) {
  try {
    const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
    const report = await readReport(settings, bytes, String(headers['stripe-signature'] ?? ''))
    return await act(db, report)
  } catch (error) {
    if (error instanceof ForgedCallback) return { status: 400, body: { detail: error.message } }
    if (error instanceof UserError) return { status: 422, body: { detail: error.message } }
    throw error
  }
}

async function act(db: Db, report: Report) {
  if (!report) return { status: 200, body: { received: true, booked: false } }
  const payment = await findPayment(db, report.order_id)
  if (payment?.gateway !== 'stripe')
    return { status: 404, body: { detail: `There is no order ${report.order_id} paid through Stripe` } }
  const isNews =
    'arrival' in report
      ? await receivePayment(db, payment, report.arrival)
      : await failPayment(db, payment, report.failure)
  return { status: 200, body: { received: true, booked: isNews && 'arrival' in report } }
}
