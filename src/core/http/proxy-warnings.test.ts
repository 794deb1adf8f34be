import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from '../telemetry/log.ts'
import { createServer } from './http.ts'
import { warnOfProxies } from './proxy-warnings.ts'

function open(trustProxy: string[] = [], publicUrl = 'http://localhost:3000') {
  const lines: string[] = []
  const log = createLog('silent')
  log.warn = (line: unknown) => void lines.push(String(line))
  const app = createServer({ log, isForFullDisk: () => false, trustProxy })
  warnOfProxies(app, { publicUrl }, log)
  const ask = (headers: Record<string, string>) => app.inject({ url: '/', headers })
  return { lines, ask }
}

test('warns once, with what to set, when X-Forwarded-For comes from an untrusted peer', async () => {
  for (const trusted of [[], ['10.0.0.0/8']]) {
    const { lines, ask } = open(trusted)
    for (let i = 0; i < 3; i++) await ask({ host: 'localhost', 'x-forwarded-for': '203.0.113.1' })
    assert.equal(lines.length, 1)
    assert.match(lines[0]!, /X-Forwarded-For from 127\.0\.0\.1 is ignored.*set TRUST_PROXY/)
  }
})

test('does not warn about a trusted proxy or a request without the header', async () => {
  const { lines, ask } = open(['127.0.0.0/8'])
  await ask({ host: 'localhost', 'x-forwarded-for': '203.0.113.1' })
  await ask({ host: 'localhost' })
  assert.deepEqual(lines, [])
})

test('warns once when PUBLIC_URL is local and requests use a public host name, but not for a host with a line break', async () => {
  const { lines, ask } = open()
  for (const host of ['localhost:3000', '192.168.1.5:3000', 'desk.lan', 'desk']) await ask({ host })
  assert.deepEqual(lines, [])
  for (const host of ['desk.example.com', 'other.example.com']) await ask({ host })
  assert.equal(lines.length, 1)
  assert.match(lines[0]!, /set PUBLIC_URL/)
  assert.doesNotMatch(lines[0]!, /example\.com/)
})

test('does not warn about any host if PUBLIC_URL is public', async () => {
  const { lines, ask } = open([], 'https://desk.example.com')
  await ask({ host: 'other.example.com' })
  assert.deepEqual(lines, [])
})
