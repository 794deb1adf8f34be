import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Stripe } from 'stripe'
import type { TestServer } from '../server.ts'

/** Stripe for tests: its own mock server, and signed callbacks in its documented form. */

export const webhookSecret = 'whsec_test'
export const secretKey = 'sk_test_123'

/** Starts Stripe's mock server on a free port of this machine, until the test ends. */
export async function startMock(context: { after(end: () => unknown): void }): Promise<string> {
  const child = spawn('stripe-mock', ['-http-addr', '127.0.0.1:0', '-https-addr', '127.0.0.1:0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  context.after(async () => {
    child.kill()
    await ended
  })
  let said = ''
  return new Promise(resolve => {
    child.stdout.on('data', chunk => {
      said += chunk
      const [, port] = /Listening for HTTP at address: [^\n]*?:(\d+)\n/.exec(said) ?? []
      if (port) resolve(`http://127.0.0.1:${port}`)
    })
  })
}

export interface Session {
  order_id: string
  amount_total: number
  currency?: string
  payment_status?: 'paid' | 'unpaid'
  metadata?: object
}

/** An event with a Checkout session, as in Stripe's API reference, shortened. */
export const eventOf = (type: string, { order_id, currency = 'eur', ...session }: Session) => ({
  id: `evt_${order_id}`,
  object: 'event',
  api_version: '2026-09-30.basil',
  created: Math.floor(Date.now() / 1000),
  data: {
    object: {
      id: `cs_test_${order_id}`,
      object: 'checkout.session',
      amount_subtotal: session.amount_total,
      client_reference_id: order_id,
      currency,
      livemode: false,
      metadata: { deskbell_order: order_id },
      mode: 'payment',
      payment_intent: `pi_${order_id}`,
      payment_method_types: ['card'],
      payment_status: 'paid',
      status: 'complete',
      ...session,
    },
  },
  livemode: false,
  pending_webhooks: 1,
  request: { id: null, idempotency_key: null },
  type: `checkout.session.${type}`,
})

interface Signing {
  secret?: string
  /** In seconds. */
  age?: number
}

export const sign = (payload: string, { secret = webhookSecret, age = 0 }: Signing = {}): string =>
  new Stripe(secretKey).webhooks.generateTestHeaderString({
    payload,
    secret,
    timestamp: Math.floor(Date.now() / 1000) - age,
  })

/**
 * Sends a callback as Stripe would. `signature` replaces the valid one, and `address` is the sender according
 * to a proxy.
 */
export async function callBack(
  server: TestServer,
  event: object,
  signing: Signing & { signature?: string; address?: string } = {},
) {
  const payload = JSON.stringify(event, null, 2)
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'stripe-signature': signing.signature ?? sign(payload, signing),
    ...(signing.address && { 'x-forwarded-for': signing.address }),
  }
  const url = server.url.replace('/api/v1', '/api/billing/stripe')
  const answer = await fetch(url, { method: 'POST', headers, body: payload })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}
