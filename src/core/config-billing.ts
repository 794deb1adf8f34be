import * as parse from './config-values.ts'

/** Settings of those who run Deskbell for others: how money comes. */
export const billingSettings = {
  paymentInstructions: parse.setting('PAYMENT_INSTRUCTIONS', '', parse.text, {
    about:
      'What somebody is told who tops up a balance by bank transfer: where the money goes to. Amount and order are told with it.',
    example: 'Example Ltd, IBAN DE02 1203 0000 0000 2020 51',
  }),
  stripeSecretKey: parse.setting('STRIPE_SECRET_KEY', '', parse.optional(parse.text), {
    about:
      'Secret key of a Stripe account. With it balances can be topped up by Stripe Checkout; it wants STRIPE_WEBHOOK_SECRET too.',
    example: 'sk_live_…',
  }),
  stripeWebhookSecret: parse.setting('STRIPE_WEBHOOK_SECRET', '', parse.optional(parse.text), {
    about:
      'Signing secret of the webhook endpoint in Stripe, which calls `PUBLIC_URL/api/billing/stripe` for the events `checkout.session.completed`, `checkout.session.async_payment_succeeded`, `checkout.session.async_payment_failed` and `checkout.session.expired`.',
    example: 'whsec_…',
  }),
  stripeApiUrl: parse.setting('STRIPE_API_URL', 'https://api.stripe.com', parse.url('http:', 'https:'), {
    about: 'Where the API of Stripe is; another one stands in for it in tests.',
    example: 'http://127.0.0.1:12111',
  }),
  billingSeller: parse.setting('BILLING_SELLER', '', parse.text, {
    about:
      'Who sells, as receipts and invoices print it: name, address, tax number. A `;` begins a new line.',
    example: 'Example Ltd; 1 High Street, London; VAT GB123456789',
  }),
}
