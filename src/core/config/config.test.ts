import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readConfig, root, settingReference } from './config.ts'

test('without an environment, every setting has its documented default', () => {
  const config = readConfig({})
  assert.equal(config.port, 3000)
  assert.equal(config.publicUrl, 'http://localhost:3000')
  assert.equal(config.dataDir, join(root, 'data'))
  assert.equal(config.databaseUrl, null)
  assert.equal(config.secretKey, null)
  assert.deepEqual([...config.roles], ['http', 'deliver', 'jobs', 'channels'])
  assert.deepEqual(config.webhookRetryDelays, [30_000, 120_000, 600_000, 3_600_000, 21_600_000])
  assert.equal(config.webhookTimeout, 10_000)
  assert.deepEqual([config.webhookAllowedCidrs, config.trustProxy], [[], []])
})

test('the reference of settings has a name, a description and an example for each', () => {
  assert.equal(settingReference.length, Object.keys(readConfig({})).length)
  for (const { name, about, example } of settingReference) {
    assert.match(name, /^[A-Z][A-Z0-9_]+$/)
    assert.ok(about.length > 20 && example.length > 0)
  }
})

test('parses values into the types that the program uses', () => {
  const config = readConfig({
    PORT: '8080',
    PUBLIC_URL: 'https://desk.example.com/',
    DATABASE_URL: 'postgres://u:p@db/desk',
    ROLES: 'http, jobs',
    WEBHOOK_RETRY_DELAYS: '250ms,1s,2m',
    WEBHOOK_ALLOWED_CIDRS: '10.0.0.0/8, ::1',
    TRUST_PROXY: '127.0.0.1',
    SECRET_KEY: 'ab'.repeat(32),
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20a=b, x-tenant=desk',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
  })
  assert.deepEqual(config.tracesHeaders, { authorization: 'Bearer a=b', 'x-tenant': 'desk' })
  assert.equal(config.tracesShare, 0.25)
  assert.equal(config.publicUrl, 'https://desk.example.com')
  assert.equal(config.databaseUrl, 'postgres://u:p@db/desk')
  assert.deepEqual([...config.roles], ['http', 'jobs'])
  assert.deepEqual(config.webhookRetryDelays, [250, 1_000, 120_000])
  assert.deepEqual(config.webhookAllowedCidrs, ['10.0.0.0/8', '::1/128'])
  assert.deepEqual(config.trustProxy, ['127.0.0.1/32'])
  assert.deepEqual(config.secretKey, Buffer.alloc(32, 0xab))
})

test('PUBLIC_URL follows PORT, and an empty value counts as not set', () => {
  assert.equal(
    readConfig({ PORT: '8080', PUBLIC_URL: '', DATABASE_URL: '' }).publicUrl,
    'http://localhost:8080',
  )
})

const wrong: Record<string, string[]> = {
  PORT: ['abc', '-1', '65536', '80.5', '0x50'],
  PUBLIC_URL: [
    'desk.example.com',
    'ftp://x',
    'https://example.com/desk',
    'https://example.com/?desk',
    'https://example.com?desk',
    'https://example.com/#desk',
    'https://ann:word@example.com',
  ],
  STRIPE_API_URL: ['https://example.com/stripe'],
  DATABASE_URL: ['mysql://x/y', 'db'],
  DATABASE_POOL: ['0', 'many'],
  ROLES: ['web', 'http,web', ','],
  LOG_LEVEL: ['loud'],
  WEBHOOK_RETRY_DELAYS: ['30', '1s,never', ','],
  WEBHOOK_TIMEOUT: ['10', '0s', '1 s', '-1s'],
  WEBHOOK_ALLOWED_CIDRS: ['10.0.0.0/33', '10/8', 'host', '::/129', '10.0.0.0/8/8'],
  TRUST_PROXY: ['true'],
  SECRET_KEY: ['short', 'ab'.repeat(31)],
  RATE_LIMIT_PER_KEY: ['0'],
  RATE_LIMIT_PER_IP: ['-5'],
  OTEL_EXPORTER_OTLP_ENDPOINT: ['collector:4318', 'grpc://collector'],
  OTEL_EXPORTER_OTLP_HEADERS: ['authorization', 'a=%zz'],
  OTEL_TRACES_SAMPLER_ARG: ['2', '-1', 'all'],
}

for (const [name, values] of Object.entries(wrong)) {
  test(`refuses an invalid ${name} with an error that names it`, () => {
    for (const value of values)
      assert.throws(() => readConfig({ [name]: value }), { message: new RegExp(`^${name}: `) })
  })
}

test('does not repeat an invalid secret in the error', () => {
  for (const name of ['SECRET_KEY', 'DATABASE_URL', 'OTEL_EXPORTER_OTLP_HEADERS']) {
    assert.throws(
      () => readConfig({ [name]: 'hunter2' }),
      (error: Error) => !error.message.includes('hunter2'),
    )
  }
})

test('every setting can be read from a file', context => {
  const folder = mkdtempSync(join(tmpdir(), 'deskbell-config-'))
  context.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'port')
  writeFileSync(file, '4000\n')
  assert.equal(readConfig({ PORT_FILE: file }).port, 4000)
  assert.throws(() => readConfig({ PORT_FILE: file, PORT: '1' }), {
    message: /^PORT and PORT_FILE are both set/,
  })
  assert.throws(() => readConfig({ PORT_FILE: join(folder, 'none') }), {
    message: /^PORT_FILE: cannot read .*ENOENT/,
  })
})
