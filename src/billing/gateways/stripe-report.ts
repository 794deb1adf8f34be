import type { Stripe } from 'stripe'
import { stringOf } from '../../core/objects.ts'
import { errorOf } from '../../core/thrown.ts'
import { readCurrency } from '../money.ts'
import type { PaymentReport } from '../payments.ts'
import { fromUnits, openStripe, type StripeSettings } from './stripe.ts'

/** Stripe's report about an order; null if it does not affect a balance. */
export type Report =
  | { order_id: string; arrival: PaymentReport }
  | { order_id: string; failure: string }
  | null

/** The signature is wrong, or older than the tolerance. */
export class ForgedCallback extends Error {}

/** How many seconds a signature is valid, so that a recorded callback cannot be replayed later. */
const tolerance = 300

export async function readReport(settings: StripeSettings, body: Buffer, signature: string): Promise<Report> {
  const stripe = await openStripe(settings)
  try {
    return reportOf(stripe.webhooks.constructEvent(body, signature, settings.webhookSecret, tolerance))
  } catch (error) {
    const { message } = errorOf(error)
    if (stringOf(error, 'type') !== 'StripeSignatureVerificationError') throw error
    throw new ForgedCallback(message.split('\n')[0])
  }
}

const failures: Record<string, string> = {
  'checkout.session.async_payment_failed': 'payment_failed',
  'checkout.session.expired': 'expired',
}

type CheckoutEvent = Extract<Stripe.Event, { type: `checkout.session.${string}` }>

const isCheckout = (event: Stripe.Event): event is CheckoutEvent => event.type.startsWith('checkout.session.')

function reportOf(event: Stripe.Event): Report {
  if (!isCheckout(event)) return null
  const session = event.data.object
  const order_id = session.metadata?.deskbell_order
  // A sale of another system through the same Stripe account.
  if (!order_id) return null
  const failure = failures[event.type]
  if (failure) return { order_id, failure }
  // With a bank debit, the session completes before the payment, which is reported later.
  return session.payment_status === 'paid' ? { order_id, arrival: arrivalOf(session) } : null
}

function arrivalOf(session: Stripe.Checkout.Session): PaymentReport {
  const { payment_intent, payment_method_types: methods = [] } = session
  const currency = readCurrency(session.currency ?? '')
  return {
    amount: fromUnits(session.amount_total ?? 0, currency),
    currency,
    transaction_id: typeof payment_intent === 'string' ? payment_intent : (payment_intent?.id ?? null),
    ...(methods.length === 1 && { method: methods[0]! }),
    by: 'stripe',
  }
}
