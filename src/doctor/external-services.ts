import { stripeOf } from '../billing/billing.ts'
import type { Config } from '../core/config/config.ts'
import { SetupError } from '../core/config/setup-error.ts'
import { createMailer, tryMailServer } from '../core/mail/mail.ts'
import { type Check, check, reasonOf } from './check.ts'
import { describeAddress, describeCertificate, describeMetrics } from './public-address.ts'
import { requestExternal } from './request-external.ts'
import { describeSignIn } from './sign-in.ts'

/** Checks of the services in the settings. Each is tried in the way that Deskbell uses it. */

async function describeMail(config: Config): Promise<string> {
  if (!createMailer(config)) return 'SMTP_URL is not set: people have to send links themselves'
  const { host } = new URL(config.smtpUrl!)
  try {
    await tryMailServer(config.smtpUrl!)
    return `${host} responds and accepts the login`
  } catch (error) {
    throw new SetupError(
      `SMTP_URL: the mail server ${host} cannot be used (${reasonOf(error)}), so no email is sent; start it, or correct the name, password and port`,
    )
  }
}

async function describePayments(config: Config): Promise<string> {
  const stripe = stripeOf(config)
  if (!stripe) return 'STRIPE_SECRET_KEY is not set: balances are topped up by bank transfer'
  const { host } = new URL(stripe.apiUrl)
  const { status } = await requestExternal('STRIPE_API_URL', `${stripe.apiUrl}/v1/balance`, {
    headers: { authorization: `Bearer ${stripe.secretKey}` },
  })
  if (status === 401)
    throw new SetupError(
      `STRIPE_SECRET_KEY: ${host} does not know this key, so nobody can pay; set the one that Stripe shows`,
    )
  if (status < 500) return `${host} takes the key`
  throw new SetupError(`STRIPE_API_URL: ${host} answers ${status}, so nobody can pay until it works again`)
}

async function describeTraces({ tracesEndpoint, tracesHeaders }: Config): Promise<string> {
  if (!tracesEndpoint) return 'OTEL_EXPORTER_OTLP_ENDPOINT is not set: no traces are sent'
  const { host } = new URL(tracesEndpoint)
  const { ok, status } = await requestExternal('OTEL_EXPORTER_OTLP_ENDPOINT', `${tracesEndpoint}/v1/traces`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...tracesHeaders },
    body: '{"resourceSpans":[]}',
  })
  if (ok) return `${host} takes traces`
  throw new SetupError(
    `OTEL_EXPORTER_OTLP_ENDPOINT: ${host} answers ${status} and takes no traces, so they are lost; correct the address or OTEL_EXPORTER_OTLP_HEADERS`,
  )
}

export const examineServices = (config: Config, isServing: boolean): Promise<Check[]> =>
  Promise.all([
    check('address', () => describeAddress(config, isServing)),
    check('certificate', () => describeCertificate(config)),
    check('metrics', () => describeMetrics(config, isServing)),
    check('mail', () => describeMail(config)),
    check('sign-in', () => describeSignIn(config)),
    check('payments', () => describePayments(config)),
    check('traces', () => describeTraces(config)),
  ])
