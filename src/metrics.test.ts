import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { after, test } from 'node:test'
import { readConfig } from './core/config/config.ts'
import { openHttpEntry } from './http-entry.ts'

const publicUrl = 'https://desk.example.com'
const config = readConfig({ PUBLIC_URL: publicUrl, HOST: '127.0.0.1' })
const front = await openHttpEntry({ ...config, port: 0 })
after(() => front.close(() => {}))
front.serve(null, async () => null)

async function ask(headers: Record<string, string>): Promise<number> {
  const asking = request({ host: '127.0.0.1', port: front.port, path: '/metrics', headers }).end()
  const [response] = await once(asking, 'response')
  response.resume()
  return response.statusCode
}

test('refuses the metrics to clients behind a proxy on this machine, detected by its headers or the public host name', async () => {
  assert.equal(await ask({}), 200)
  for (const name of ['X-Forwarded-Proto', 'X-Forwarded-Host', 'X-Real-IP', 'Forwarded', 'Via'])
    assert.equal(await ask({ [name]: 'x' }), 404, name)
  assert.equal(await ask({ Host: 'desk.example.com' }), 404)
  assert.equal(await ask({ Host: 'localhost:3000' }), 200)
})
