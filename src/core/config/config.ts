import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { codeOf, errorOf } from '../thrown.ts'
import { billingSettings } from './config-billing.ts'
import { httpSettings } from './config-http.ts'
import { liveSettings } from './config-live.ts'
import { mailSettings } from './config-mail.ts'
import { metricsSettings } from './config-metrics.ts'
import { requestSettings } from './config-requests.ts'
import { s3Settings } from './config-s3.ts'
import { tracingSettings } from './config-tracing.ts'
import { usersSettings } from './config-users.ts'
import * as parse from './config-values.ts'
import { setting } from './config-values.ts'
import { widgetServerSettings } from './config-widget.ts'
import { SettingError } from './setup-error.ts'

/** Every setting: its name in the environment, its default, and what it does. */
const schema = {
  ...httpSettings,
  publicUrl: setting('PUBLIC_URL', 'http://localhost:PORT', parse.origin, {
    about:
      'The URL at which people and programs reach this server. It needs a host name of its own and must not have a path. If the host is public, webhooks to private addresses are refused.',
    example: 'https://desk.example.com',
  }),
  dataDir: setting('DATA_DIR', './data', parse.path, {
    about:
      "The folder for all data: the embedded Postgres, `secret.key` and files. A relative path starts at Deskbell's own folder.",
    example: '/var/lib/deskbell',
  }),
  databaseUrl: setting('DATABASE_URL', '', parse.optional(parse.databaseUrl), {
    about:
      'The URL of your own PostgreSQL database, version 15 or newer. Its encoding must be UTF8, and the user must be allowed to create tables. With several hosts, `postgres://user@a:5432,b:5432/db`, Deskbell uses the primary (`?target_session_attrs=` changes that). Through a socket: `postgres://user@localhost/db?host=/dir&port=5433`; `localhost` and `port` are optional. If it is not set, Deskbell runs its own PostgreSQL inside DATA_DIR.',
    example: 'postgres://deskbell:password@db.example.com/deskbell',
  }),
  databasePool: setting('DATABASE_POOL', '10', parse.integer(1, 1_000), {
    about:
      'How many database connections a process may open for the API, from 1 to 1000. Help centres, deliveries and rate limits use up to 9 additional ones. A higher number makes a database with few processors slower. The embedded Postgres allows 100 connections in total.',
    example: '40',
  }),
  roles: setting(
    'ROLES',
    'http,deliver,jobs,channels',
    parse.choices('http', 'deliver', 'jobs', 'channels'),
    {
      about:
        'What this process does: `http` answers requests, `deliver` sends webhooks, `jobs` runs background work, `channels` receives mail. Any number of processes with the same DATABASE_URL may have each role.',
      example: 'http',
    },
  ),
  logLevel: setting(
    'LOG_LEVEL',
    'info',
    parse.choice('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    {
      about:
        'The lowest level that is logged: `trace`, `debug`, `info`, `warn`, `error`, `fatal`, or `silent` for nothing.',
      example: 'warn',
    },
  ),
  webhookRetryDelays: setting('WEBHOOK_RETRY_DELAYS', '30s,2m,10m,1h,6h', parse.durations, {
    about:
      'The pauses before the second and each later attempt of a webhook delivery, each counted from the previous attempt. One to five pauses, at most 7 days in total. Five pauses mean six attempts.',
    example: '10s,1m,5m,30m,2h',
  }),
  webhookTimeout: setting('WEBHOOK_TIMEOUT', '10s', parse.durationUpTo('15s'), {
    about: 'How long a webhook target has to respond, including the name look-up; at most 15 seconds.',
    example: '5s',
  }),
  webhookAllowedCidrs: setting('WEBHOOK_ALLOWED_CIDRS', '', parse.networks, {
    about:
      'Private networks to which webhooks may be sent, and in which projects may have buckets, even if PUBLIC_URL is public.',
    example: '10.1.0.0/16,fd00::/8',
  }),
  secretKey: setting('SECRET_KEY', '', parse.optional(parse.key), {
    about:
      'The key that encrypts webhook secrets and bucket keys in the database: 32 bytes as 64 hex digits or in base64. If it is not set, Deskbell creates one in `DATA_DIR/secret.key`. Processes that share a database but not a DATA_DIR must have the same key.',
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
  ...mailSettings,
  rateLimitPerKey: setting('RATE_LIMIT_PER_KEY', '20000', parse.integer(1, 1e9), {
    about: 'How many requests an API key may make per minute, from 1 to 1000000000.',
    example: '1000',
  }),
  rateLimitPerIp: setting('RATE_LIMIT_PER_IP', '1000', parse.integer(1, 1e9), {
    about: 'How many requests without a valid key an address may make per minute, from 1 to 1000000000.',
    example: '300',
  }),
  requestsAtOnce: setting('REQUESTS_AT_ONCE', '200', parse.integer(1, 1e6), {
    about:
      'How many requests a process works on at the same time, counted separately for the API, the dashboard, the widget and the help centre. If that many are in progress and the oldest has waited for a second, further requests get 429 and may be repeated a second later. Calls that wait for events, webhook tests and uploads do not count. A higher number makes all callers wait longer under overload and answers none of them sooner.',
    example: '100',
  }),
  rateLimitPerSession: setting('RATE_LIMIT_PER_SESSION', '3000', parse.integer(1, 1e9), {
    about: 'How many requests per minute the dashboard may make for each signed-in session.',
    example: '6000',
  }),
  rateLimitStore: setting('RATE_LIMIT_STORE', 'auto', parse.choice('auto', 'memory', 'postgres', 'redis'), {
    about:
      'Where requests are counted for rate limits: `memory` for a single process, `postgres` or `redis` for all processes that share the database or Redis. `auto` means redis if REDIS_URL is set, else postgres if DATABASE_URL is set, else memory. While the store does not respond, nobody is limited.',
    example: 'memory',
  }),
  redisUrl: setting('REDIS_URL', '', parse.optional(parse.url('redis:', 'rediss:')), {
    about:
      'A Redis or Valkey server that counts requests for all processes. You may add a database number after the `/`. Its contents may be lost.',
    example: 'redis://user:password@redis.example.com:6379/1',
  }),
  eventRetention: setting('EVENT_RETENTION', '14d', parse.durationFrom('8d', '3650d'), {
    about:
      'How long events are kept. `GET /updates` can read that far back, and deliveries that old can be repeated. At least 8 days, because the attempts of a delivery may take 7.',
    example: '30d',
  }),
  waitingPerKey: setting('UPDATES_WAITING_PER_KEY', '10000', parse.integer(1, 1e6), {
    about:
      'How many calls of `GET /updates` with the same API key may wait in a process at the same time. Further calls get 429.',
    example: '100',
  }),
  waitingPerProcess: setting('UPDATES_WAITING_PER_PROCESS', '10000', parse.integer(1, 1e6), {
    about:
      'How many calls of `GET /updates` may wait in a process at the same time. Each needs about 20 KB of memory and an open file. Allow the process 1,000 more open files than this (`ulimit -n`, or `LimitNOFILE=` in a service unit).',
    example: '50000',
  }),
}

export type Config = { [Name in keyof typeof schema]: ReturnType<(typeof schema)[Name]['parse']> }
export type ProcessRole = 'http' | 'deliver' | 'jobs' | 'channels'
export type Environment = Record<string, string | undefined>

/** The whole environment, to search it for names that are not settings. */
export const readEnvironment = (): Environment => process.env

/** The source of `docs/config.md`. */
export const settingReference = Object.values(schema).map(({ name, fallback, about, example }) => ({
  name,
  default: fallback,
  about,
  example,
}))

/** Settings whose values must never be logged. */
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

/** The names of the settings that the environment sets. */
export const listGiven = (environment: Environment = process.env): string[] =>
  settingReference.map(one => one.name).filter(name => environment[name] || environment[`${name}_FILE`])

/** Deskbell's own folder. */
export const root = fileURLToPath(new URL('../../..', import.meta.url))

/** The path on which programs such as `sh` are searched. */
export const searchPath = process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin'

/** Reads every setting. An invalid value is refused with one sentence that names the setting. */
export function readConfig(environment: Environment = process.env): Config {
  const entries = Object.entries(schema).map(([key, { name, fallback, parse }]) => {
    const given = readSetting(environment, name)
    const text = given ?? fallback.replace('PORT', readSetting(environment, 'PORT') ?? schema.port.fallback)
    return [key, understand<unknown>(name, text, parse)]
  })
  return Object.fromEntries(entries) as Config
}

/** The value, or the content of the file that `NAME_FILE` names. An empty value counts as not set. */
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
    throw new SettingError(`${name}: ${shown} is not ${errorOf(error).message}`)
  }
}
