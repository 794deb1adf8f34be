import type { Stripe } from 'stripe'
import { errorOf } from '../../core/thrown.ts'
import type { Hundredths } from '../money.ts'
import type { Payment } from '../payments.ts'
import { type Gateway, GatewayRefused, GatewaySilent, type Started } from './gateway.ts'

/** Stripe Checkout: the payer uses a page of Stripe, and Stripe sends the result to our webhook endpoint. */

export interface StripeSettings {
  secretKey: string
  webhookSecret: string
  apiUrl: string
  publicUrl: string
}

/** Loads the library on first use, because most installations never need it. */
export async function openStripe({ secretKey, apiUrl }: StripeSettings): Promise<Stripe> {
  const { default: StripeClient } = await import('stripe')
  const { protocol, hostname, port } = new URL(apiUrl)
  return new StripeClient(secretKey, {
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    ...(port && { port: Number(port) }),
    timeout: 20_000,
    telemetry: false,
  })
}

// Stripe's list of currencies without decimals. It differs from the ISO standard.
const wholeUnitCurrencies = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '))

/** The amount in Stripe's units. Stripe counts ISK and UGX in hundredths although they have no decimals. */
const toUnits = (amount: Hundredths, currency: string): number =>
  wholeUnitCurrencies.has(currency) ? amount / 100 : amount

export const fromUnits = (units: number, currency: string): Hundredths =>
  wholeUnitCurrencies.has(currency) ? units * 100 : units

export function createStripe(settings: StripeSettings): Gateway {
  return {
    name: 'stripe',
    method: 'stripe',
    start: (payment, back) => ask(settings, stripe => createSession(stripe, settings, payment, back)),
    refund: (payment, amount, key) => ask(settings, stripe => createRefund(stripe, payment, amount, key)),
  }
}

async function createSession(
  stripe: Stripe,
  { publicUrl }: StripeSettings,
  payment: Payment,
  back: string | null,
): Promise<Started> {
  const { order_id, amount, currency } = payment
  const backTo = (how: 'paid' | 'cancelled', page: string) =>
    back === null ? `${publicUrl}/api/billing/${page}` : `${publicUrl}${back}?${how}=${order_id}`
  const metadata = { deskbell_order: order_id }
  const price_data = {
    currency: currency.toLowerCase(),
    unit_amount: toUnits(amount, currency),
    product_data: { name: `Balance top-up ${order_id}` },
  }
  const session = await stripe.checkout.sessions.create(
    {
      mode: 'payment',
      client_reference_id: order_id,
      line_items: [{ quantity: 1, price_data }],
      metadata,
      payment_intent_data: { metadata },
      success_url: backTo('paid', 'done'),
      cancel_url: backTo('cancelled', 'cancelled'),
    },
    { idempotencyKey: payment.id },
  )
  return { external_id: session.id, url: session.url, instructions: null }
}

async function createRefund(
  stripe: Stripe,
  payment: Payment,
  amount: Hundredths,
  key: string,
): Promise<void> {
  if (!payment.transaction_id) throw new GatewayRefused(`Order ${payment.order_id} has no payment in Stripe`)
  const refund = { payment_intent: payment.transaction_id, amount: toUnits(amount, payment.currency) }
  await stripe.refunds.create(refund, { idempotencyKey: key })
}

async function ask<T>(settings: StripeSettings, question: (stripe: Stripe) => Promise<T>): Promise<T> {
  try {
    return await question(await openStripe(settings))
  } catch (error) {
    throw translate(errorOf(error))
  }
}

/** A 4xx is a refusal, except for 409 and 429, which ask for a retry. */
function translate(error: Error & { statusCode?: number; type?: string }): Error {
  if (error instanceof GatewayRefused || !error.type?.startsWith('Stripe')) return error
  const { statusCode = 500, message } = error
  if (statusCode < 500 && ![409, 429].includes(statusCode))
    return new GatewayRefused(`Stripe says no: ${message}`, { reason: 'gateway_refused' })
  return new GatewaySilent(`Stripe did not answer (${message}); the same once more is safe`, {
    reason: 'gateway_silent',
  })
}
