import * as parse from './config-values.ts'

/** Settings for hosts who run Deskbell for others: payments and receipts. */
export const billingSettings = {
  paymentInstructions: parse.setting('PAYMENT_INSTRUCTIONS', '', parse.readText, {
    about:
      'Bank details shown to owners who top up by bank transfer, together with the amount and the order number.',
    example: 'Example Ltd, IBAN DE02 1203 0000 0000 2020 51',
  }),
  stripeSecretKey: parse.setting('STRIPE_SECRET_KEY', '', parse.optional(parse.readText), {
    about:
      'Secret key of a Stripe account, to top up balances through Stripe Checkout. It requires STRIPE_WEBHOOK_SECRET.',
    example: 'sk_live_…',
  }),
  stripeWebhookSecret: parse.setting('STRIPE_WEBHOOK_SECRET', '', parse.optional(parse.readText), {
    about:
      'Signing secret of the webhook endpoint in Stripe, which calls `PUBLIC_URL/api/billing/stripe` for the events `checkout.session.completed`, `checkout.session.async_payment_succeeded`, `checkout.session.async_payment_failed` and `checkout.session.expired`.',
    example: 'whsec_…',
  }),
  stripeApiUrl: parse.setting('STRIPE_API_URL', 'https://api.stripe.com', parse.origin, {
    about: "Address of Stripe's API; tests use another one.",
    example: 'http://127.0.0.1:12111',
  }),
  billingMailTo: parse.setting('BILLING_MAIL_TO', '', parse.optional(parse.readText), {
    about:
      'Address that gets an email when a payment is disputed, that is, when its amount differs from the order. It requires SMTP_URL. `deskbell doctor` and the log report disputed payments too.',
    example: 'billing@example.com',
  }),
  billingSeller: parse.setting('BILLING_SELLER', '', parse.readText, {
    about: 'The seller on receipts and invoices: name, address, tax number. A `;` starts a new line.',
    example: 'Example Ltd; 1 High Street, London; VAT GB123456789',
  }),
  billingTax: parse.setting('BILLING_TAX', '', parse.optional(parse.tax), {
    about:
      'Name and rate of the tax included in plan prices. Invoices then show net, tax and total. Invoices already issued do not change.',
    example: 'VAT 19%',
  }),
}
