import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { SMTPServer } from 'smtp-server'
import { secretKey, startMock } from '../../test/billing/stripe.ts'
import { certificate } from '../../test/certificate.ts'
import { startCollector } from '../../test/collector.ts'
import { assertWrong, nowhere, startInstallation, startWeb } from '../../test/examined.ts'
import { startMailbox } from '../../test/mailbox.ts'
import { needs } from '../../test/needs.ts'
import { startProvider } from '../../test/oidc.ts'
import { makeFolder } from '../../test/run/program.ts'
import { type Config, readConfig } from '../core/config/config.ts'
import { describeDisk } from './machine.ts'

/** Installations with a fault of the machine, the settings or an external service. `doctor` must report each. */

const installation = await startInstallation()
const { config, examine } = installation
after(() => installation.close())

/** The fault, the check that reports it, and the settings that cause it. */
type Case = [
  what: string,
  name: string,
  message: RegExp,
  make: (context: TestContext) => Partial<Config> | Promise<Partial<Config>>,
]

const answering = (status: number, body: object) => (context: TestContext) =>
  startWeb(context, (_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
  )

const mailFrom = 'Desk <desk@example.com>'
const oidc = { oidcClientId: 'deskbell', oidcClientSecret: 'secret' }
const stripe = { stripeSecretKey: secretKey, stripeWebhookSecret: 'whsec_test' }

/** A mail server that refuses every login. */
async function startStrictMail(context: TestContext): Promise<string> {
  const server = new SMTPServer({
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth: (_auth, _session, done) => done(new Error('Invalid login')),
  })
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  context.after(() => server.close())
  return `smtp://desk:wrong@127.0.0.1:${(listening.address() as AddressInfo).port}`
}

/** A certified OpenID Connect provider, which has another secret for the client. */
async function startStrictProvider(context: TestContext): Promise<string> {
  const provider = await startProvider()
  context.after(provider.close)
  return provider.issuer
}

async function startTls(context: TestContext): Promise<string> {
  const server = createTlsServer(certificate, (_request, response) => response.end('{"status":"ok"}'))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  context.after(() => server.close())
  return `https://localhost:${(server.address() as AddressInfo).port}`
}

const cases: Case[] = [
  [
    'DATA_DIR does not exist',
    'disk',
    /^DATA_DIR: the folder .* does not exist/,
    context => ({
      dataDir: join(makeFolder(context), 'none'),
    }),
  ],
  [
    'other users can read the secret key',
    'key file',
    /can be read by other users .* chmod 600/,
    context => {
      const dataDir = makeFolder(context)
      writeFileSync(join(dataDir, 'secret.key'), `${config.secretKey!.toString('hex')}\n`)
      chmodSync(join(dataDir, 'secret.key'), 0o644)
      return { dataDir, secretKey: null }
    },
  ],
  ['the limit of open files is too low', 'open files', /raise the limit/, () => ({ waitingPerProcess: 1e9 })],
  [
    'the name of PUBLIC_URL does not exist',
    'address',
    /^PUBLIC_URL: the name desk\.invalid cannot be found/,
    () => ({
      publicUrl: 'https://desk.invalid',
    }),
  ],
  [
    'another server answers at PUBLIC_URL',
    'address',
    /another server answers \(200 to/,
    async context => ({
      publicUrl: await answering(200, { hello: 'world' })(context),
    }),
  ],
  [
    'nothing answers at PUBLIC_URL',
    'address',
    /^PUBLIC_URL: nothing responds at/,
    () => ({ publicUrl: nowhere }),
  ],
  [
    'the certificate of PUBLIC_URL is not valid',
    'address',
    /^PUBLIC_URL: the certificate of .* is not valid/,
    async context => ({
      publicUrl: await startTls(context),
    }),
  ],
  [
    'the mail server is unreachable',
    'mail',
    /^SMTP_URL: .*ECONNREFUSED/,
    () => ({ smtpUrl: 'smtp://127.0.0.1:9', mailFrom }),
  ],
  [
    'the mail server refuses the login',
    'mail',
    /^SMTP_URL: .*Invalid login/,
    async context => ({
      smtpUrl: await startStrictMail(context),
      mailFrom,
    }),
  ],
  ['mails have no sender', 'mail', /^MAIL_FROM: set it too/, () => ({ smtpUrl: 'smtp://127.0.0.1:9' })],
  [
    'the identity provider is unreachable',
    'sign-in',
    /^OIDC_ISSUER: .*does not respond.*ECONNREFUSED/,
    () => ({ ...oidc, oidcIssuer: nowhere }),
  ],
  [
    'OIDC_ISSUER is not an identity provider',
    'sign-in',
    /^OIDC_ISSUER: .*not a discovery document/,
    async context => ({
      ...oidc,
      oidcIssuer: await answering(404, {})(context),
    }),
  ],
  [
    'the identity provider has another name',
    'sign-in',
    /^OIDC_ISSUER: .*calls itself https:\/\/id\.example\.com/,
    async context => ({
      ...oidc,
      oidcIssuer: await answering(200, { issuer: 'https://id.example.com' })(context),
    }),
  ],
  [
    'the identity provider refuses the secret',
    'sign-in',
    /^OIDC_CLIENT_SECRET: /,
    async context => ({
      ...oidc,
      oidcIssuer: await startStrictProvider(context),
    }),
  ],
  [
    'the identity provider has no client',
    'sign-in',
    /^OIDC_ISSUER: set OIDC_CLIENT_ID/,
    () => ({ oidcIssuer: nowhere }),
  ],
  [
    'Stripe is unreachable',
    'payments',
    /^STRIPE_API_URL: .*does not respond/,
    () => ({ ...stripe, stripeApiUrl: nowhere }),
  ],
  [
    'Stripe does not know the key',
    'payments',
    /^STRIPE_SECRET_KEY: .*does not know this key/,
    async context => ({
      ...stripe,
      stripeApiUrl: await answering(401, {})(context),
    }),
  ],
  [
    'Stripe has no webhook secret',
    'payments',
    /^STRIPE_WEBHOOK_SECRET: set it too/,
    () => ({ stripeSecretKey: secretKey }),
  ],
  [
    'the trace collector is unreachable',
    'traces',
    /^OTEL_EXPORTER_OTLP_ENDPOINT: .*does not respond/,
    () => ({ tracesEndpoint: nowhere }),
  ],
  [
    'the trace collector refuses the token',
    'traces',
    /answers 401 and takes no traces/,
    async context => {
      const collector = await startCollector(response => response.writeHead(401).end())
      context.after(collector.close)
      return { tracesEndpoint: collector.url }
    },
  ],
  [
    'nothing answers at REDIS_URL',
    'limits',
    /^REDIS_URL: the Redis at 127\.0\.0\.1:9 does not answer/,
    () => ({ redisUrl: 'redis://127.0.0.1:9' }),
  ],
]

for (const [what, name, message, make] of cases) {
  test(`doctor reports an error if ${what}`, async context =>
    assertWrong(await examine(await make(context)), name, message))
}

test('doctor reports no error if all external services work', async context => {
  const box = await startMailbox()
  const provider = await startProvider()
  const collector = await startCollector()
  for (const one of [box, provider, collector]) context.after(one.close)
  const wrong = await examine({
    ...provider.settings,
    smtpUrl: box.url,
    mailFrom,
    tracesEndpoint: collector.url,
  })
  assert.deepEqual(wrong, {})
})

test('doctor reports no error if Stripe accepts the key', needs('stripe-mock'), async context => {
  assert.deepEqual(await examine({ ...stripe, stripeApiUrl: await startMock(context) }), {})
})

const misspelt: [Record<string, string>, RegExp][] = [
  [{ SMPT_URL: 'smtp://mail' }, /^SMPT_URL is not a setting; did you mean SMTP_URL\?$/],
  [{ PUBLIC_ULR: 'https://x' }, /did you mean PUBLIC_URL/],
  [{ DESKBELL_PUBLIC_URL: 'https://x' }, /^DESKBELL_PUBLIC_URL is not a setting; name it PUBLIC_URL$/],
  [{ SMTP_PASSWORD: 'x' }, /those that begin with SMTP_/],
]
for (const [environment, message] of misspelt) {
  test(`doctor reports that ${Object.keys(environment)} is not a setting`, async () =>
    assertWrong(await examine({}, { environment }), 'settings', message))
}

test('doctor ignores environment variables of other programs', async () => {
  const others =
    'PATH HOME HOSTNAME SHELL LOGNAME LANG TERM USER PWD OLDPWD TZ EDITOR NODE_ENV NODE_OPTIONS PGHOST'
  const environment = Object.fromEntries(others.split(' ').map(name => [name, 'x']))
  const kubernetes = {
    S3_SERVICE_HOST: '10.0.0.1',
    S3_PORT: 'tcp://x',
    DESKBELL_SERVICE_HOST: 'x',
    DESKBELL_PORT: 'tcp://x',
  }
  const systemd = { NOTIFY_SOCKET: 'x', WATCHDOG_USEC: 'x', WATCHDOG_PID: 'x', INVOCATION_ID: 'x' }
  Object.assign(systemd, {
    JOURNAL_STREAM: 'x',
    STATE_DIRECTORY: 'x',
    CACHE_DIRECTORY: 'x',
    SYSTEMD_EXEC_PID: 'x',
  })
  const whole = { ...environment, ...kubernetes, ...systemd, PATH: process.env.PATH }
  assert.deepEqual(await examine({}, { environment: whole }), {})
})

test('doctor reports an error if the pages are not built', async context => {
  const pages = makeFolder(context)
  mkdirSync(join(pages, 'widget'))
  writeFileSync(join(pages, 'widget/stamp'), 'x')
  assertWrong(await examine({}, { pages }), 'pages', /^dashboard: not built, .* bin\/deskbell build$/)
})

test('doctor reports an error if the disk is nearly full', context => {
  const nearly = () => ({ free: 2 ** 29, size: 2 ** 40, entries: 1e6 })
  assert.throws(() => describeDisk(makeFolder(context), nearly), /has only 0\.50 GiB free; free disk space/)
})

test('settings that a start would refuse are an error', () => {
  assert.throws(() => readConfig({ PORT: 'abc' }), /^Error: PORT: "abc" is not a whole number/)
})
