import type { Config } from '../../core/config/config.ts'
import { SettingError } from '../../core/config/setup-error.ts'
import type { Gateway, Gateways } from './gateway.ts'
import { createOffline } from './offline.ts'
import { createStripe, type StripeSettings } from './stripe.ts'

type Settings = Pick<
  Config,
  'paymentInstructions' | 'stripeSecretKey' | 'stripeWebhookSecret' | 'stripeApiUrl' | 'publicUrl'
>

/** Null if Stripe is not configured. */
export function stripeOf(config: Settings): StripeSettings | null {
  const { stripeSecretKey: secretKey, stripeWebhookSecret: webhookSecret } = config
  if (!secretKey && !webhookSecret) return null
  if (!secretKey) throw new SettingError('STRIPE_SECRET_KEY: set it too, or remove STRIPE_WEBHOOK_SECRET')
  if (!webhookSecret)
    throw new SettingError('STRIPE_WEBHOOK_SECRET: set it too; without it payments would not be credited')
  return { secretKey, webhookSecret, apiUrl: config.stripeApiUrl, publicUrl: config.publicUrl }
}

/** The gateways that are configured. */
export function createGateways(config: Settings): Gateways {
  const stripe = stripeOf(config)
  const gateways: Gateway[] = [
    createOffline(config.paymentInstructions),
    ...(stripe ? [createStripe(stripe)] : []),
  ]
  return new Map(gateways.map(gateway => [gateway.name, gateway]))
}
