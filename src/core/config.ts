import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { billingSettings } from './config-billing.ts'
import { httpSettings } from './config-http.ts'
import { liveSettings } from './config-live.ts'
import { metricsSettings } from './config-metrics.ts'
import { requestSettings } from './config-requests.ts'
import { s3Settings } from './config-s3.ts'
import { tracingSettings } from './config-tracing.ts'
import { usersSettings } from './config-users.ts'
import * as parse from './config-values.ts'
import { setting } from './config-values.ts'
import { widgetServerSettings } from './config-widget.ts'
import { codeOf, SettingError } from './setup-error.ts'

/** Every setting: its name in the environment, what stands for it when it is not given, and what it does. */
const schema = {
  ...httpSettings,
  publicUrl: setting('PUBLIC_URL', 'http://localhost:PORT', parse.origin, {
    about:
      'Address at which people and programs reach this server: a host name of its own, without a path. If the host is public, webhooks to private addresses are refused.',
    example: 'https://desk.example.com',
  }),
  dataDir: setting('DATA_DIR', './data', parse.path, {
    about:
      "Folder of everything that must survive: the embedded Postgres, `secret.key`, files. A relative path counts from Deskbell's own folder.",
    example: '/var/lib/deskbell',
  }),
  databaseUrl: setting('DATABASE_URL', '', parse.optional(parse.databaseUrl), {
    about:
      'Address of your own PostgreSQL, version 15 or newer: a database with encoding UTF8 in which the user may create tables. With several hosts, `postgres://user@a:5432,b:5432/db`, Deskbell uses the primary (`?target_session_attrs=` changes that). Through a socket: `postgres://user@localhost/db?host=/dir&port=5433`; `localhost` and `port` are optional. If it is not set, Deskbell runs its own PostgreSQL inside DATA_DIR.',
    example: 'postgres://deskbell:password@db.example.com/deskbell',
  }),
  databasePool: setting('DATABASE_POOL', '10', parse.integer(1, 1_000), {
    about:
      'Database connections that one process may open for the API, from 1 to 1000; help centres, deliveries and counters have up to 9 more of their own. More make a database with few processors slower. The embedded Postgres allows 100 in all.',
    example: '40',
  }),
  roles: setting('ROLES', 'http,deliver,jobs', parse.choices('http', 'deliver', 'jobs'), {
    about:
      'What this process does: `http` answers requests, `deliver` sends webhooks, `jobs` runs background work. Any number of processes may share each role on one DATABASE_URL.',
    example: 'http',
  }),
  logLevel: setting(
    'LOG_LEVEL',
    'info',
    parse.choice('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    {
      about:
        'The least important lines that are logged: `trace`, `debug`, `info`, `warn`, `error`, `fatal`, or `silent`.',
      example: 'warn',
    },
  ),
  webhookRetryDelays: setting('WEBHOOK_RETRY_DELAYS', '30s,2m,10m,1h,6h', parse.durations, {
    about:
      'Pauses before the second and each later attempt of a webhook delivery, each counted from the attempt before. One to five pauses, 7 days in all at most: one makes two attempts, five make six.',
    example: '10s,1m,5m,30m,2h',
  }),
  webhookTimeout: setting('WEBHOOK_TIMEOUT', '10s', parse.durationUpTo('15s'), {
    about:
      'Time within which a webhook target must have answered, from the name look-up on; 15 seconds at most.',
    example: '5s',
  }),
  webhookAllowedCidrs: setting('WEBHOOK_ALLOWED_CIDRS', '', parse.networks, {
    about:
      'Private networks that webhooks may be sent to, and in which projects may have buckets, although PUBLIC_URL is public.',
    example: '10.1.0.0/16,fd00::/8',
  }),
  trustProxy: setting('TRUST_PROXY', '', parse.networks, {
    about: 'Networks of reverse proxies whose `X-Forwarded-For` is believed; from others it is ignored.',
    example: '127.0.0.1/32,10.0.0.0/8',
  }),
  secretKey: setting('SECRET_KEY', '', parse.optional(parse.key), {
    about:
      'Key that encrypts webhook secrets in the database: 32 bytes as 64 hex digits or in base64. When not set, one is made in `DATA_DIR/secret.key`; processes with separate DATA_DIRs on one database must share it.',
    example: 'the output of: openssl rand -hex 32',
  }),
  ...s3Settings,
  ...billingSettings,
  ...requestSettings,
  ...usersSettings,
  ...liveSettings,
  ...metricsSettings,
  ...tracingSettings,
  ...widgetServerSettings,
  rateLimitPerKey: setting('RATE_LIMIT_PER_KEY', '20000', parse.integer(1, 1e9), {
    about: 'Requests that one API key may make in a minute, from 1 to 1000000000.',
    example: '1000',
  }),
  rateLimitPerIp: setting('RATE_LIMIT_PER_IP', '1000', parse.integer(1, 1e9), {
    about: 'Requests that one address may make in a minute without a valid key, from 1 to 1000000000.',
    example: '300',
  }),
  requestsAtOnce: setting('REQUESTS_AT_ONCE', '200', parse.integer(1, 1e6), {
    about:
      'So many requests one process works on at one time, counted for each of the API, the dashboard, the widget and the help centre; when the first of them has waited for a second, one more is answered 429 and may be repeated a second later. Calls that wait for events, tests of webhooks and uploads do not count. More make every caller wait longer under overload, and answer none of them sooner.',
    example: '100',
  }),
  rateLimitPerSession: setting('RATE_LIMIT_PER_SESSION', '3000', parse.integer(1, 1e9), {
    about: 'Requests per minute of the dashboard for each session of a person who is signed in.',
    example: '6000',
  }),
  rateLimitStore: setting('RATE_LIMIT_STORE', 'auto', parse.choice('auto', 'memory', 'postgres', 'redis'), {
    about:
      'Where requests are counted for the budgets: `memory` for a single process, `postgres` or `redis` for all that share the database or the Redis. `auto` is redis with REDIS_URL, else postgres with DATABASE_URL, else memory. A store that does not answer limits nobody until it does.',
    example: 'memory',
  }),
  redisUrl: setting('REDIS_URL', '', parse.optional(parse.url('redis:', 'rediss:')), {
    about:
      'A Redis or Valkey that counts requests for all processes; a database number of its own may stand behind the `/`. Nothing in it must survive.',
    example: 'redis://user:password@redis.example.com:6379/1',
  }),
  eventRetention: setting('EVENT_RETENTION', '14d', parse.durationFrom('8d', '3650d'), {
    about:
      'How long events are kept: so far back `GET /updates` reaches, and a delivery can be repeated. From 8 days on, because the attempts of a delivery may take 7.',
    example: '30d',
  }),
  waitingPerKey: setting('UPDATES_WAITING_PER_KEY', '10000', parse.integer(1, 1e6), {
    about:
      'Calls of `GET /updates` with one API key that may wait at one time in one process; one more is answered 429.',
    example: '100',
  }),
  waitingPerProcess: setting('UPDATES_WAITING_PER_PROCESS', '10000', parse.integer(1, 1e6), {
    about:
      'Calls of `GET /updates` that may wait at one time in one process. Each needs about 20 KB of memory and an open file: let the process open 1,000 more than this (`ulimit -n`, or `LimitNOFILE=` of a service unit).',
    example: '50000',
  }),
}

export type Config = { [Name in keyof typeof schema]: ReturnType<(typeof schema)[Name]['parse']> }
export type ProcessRole = 'http' | 'deliver' | 'jobs'
export type Environment = Record<string, string | undefined>

/** All of it, for who looks for names that are no settings. */
export const readEnvironment = (): Environment => process.env

/** The table that `docs/config.md` is made from. */
export const settingReference = Object.values(schema).map(({ name, fallback, about, example }) => ({
  name,
  default: fallback,
  about,
  example,
}))

/** A key or a password must not end up in a log. */
const secretNames = [
  'SECRET_KEY',
  'DATABASE_URL',
  'REDIS_URL',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'SMTP_URL',
  'OIDC_CLIENT_SECRET',
  'METRICS_TOKEN',
  'OTEL_EXPORTER_OTLP_HEADERS',
]

/** The names of those that the environment gives. */
export const listGiven = (environment: Environment = process.env): string[] =>
  settingReference.map(one => one.name).filter(name => environment[name] || environment[`${name}_FILE`])

/** Deskbell's own folder. */
export const root = fileURLToPath(new URL('../..', import.meta.url))

/** Where programs such as `sh` are looked for. */
export const searchPath = process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin'

/** Reads every setting; a wrong value is refused with one sentence that names it. */
export function readConfig(environment: Environment = process.env): Config {
  const entries = Object.entries(schema).map(([key, { name, fallback, parse }]) => {
    const given = readSetting(environment, name)
    const text = given ?? fallback.replace('PORT', readSetting(environment, 'PORT') ?? schema.port.fallback)
    return [key, understand<unknown>(name, text, parse)]
  })
  return Object.fromEntries(entries) as Config
}

/** The value itself, or the content of the file that `NAME_FILE` points to; an empty one counts as not given. */
function readSetting(environment: Environment, name: string): string | undefined {
  const file = environment[`${name}_FILE`]
  if (!file) return environment[name]?.trim() || undefined
  if (environment[name]) throw new SettingError(`${name} and ${name}_FILE are both set; keep one of them`)
  try {
    return readFileSync(file, 'utf8').trim() || undefined
  } catch (error) {
    throw new SettingError(`${name}_FILE: cannot read ${file} (${codeOf(error)})`)
  }
}

function understand<T>(name: string, text: string, parse: (text: string) => T): T {
  try {
    return parse(text)
  } catch (error) {
    const shown = secretNames.includes(name) ? 'its value' : JSON.stringify(text)
    throw new SettingError(`${name}: ${shown} is not ${(error as Error).message}`)
  }
}
