import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from '../../src/core/config/config.ts'
import { makeFolder, startServer, stopServer } from '../run/program.ts'
import { installSchemathesis } from './python.ts'
import { makeSample, type Peer } from './sample.ts'

/**
 * `bin/fuzz [--seconds 180] [--seed N] [-- more for Schemathesis]`: sends valid and invalid requests,
 * generated from the OpenAPI document, to its own server. Fails on a response that violates the document or
 * the rules in this folder.
 */

const { values, positionals } = parseArgs({
  options: {
    seconds: { type: 'string', default: '180' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
  },
  allowPositionals: true,
})

const undo: (() => unknown)[] = []
const context = { after: (step: () => unknown) => void undo.push(step) }
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end(1))
process.on('exit', () => undo.reverse().forEach(step => void step()))

function end(status: number): never {
  process.exit(status)
}

const folder = makeFolder(context)
const rules = join(root, 'test/fuzz')

/** Webhooks are not delivered, and rate limits are not reached. */
const settings = {
  DATA_DIR: join(folder, 'data'),
  ROLES: 'http,jobs',
  RATE_LIMIT_PER_KEY: '1000000000',
  RATE_LIMIT_PER_IP: '1000000000',
  WEBHOOK_TIMEOUT: '2s',
}

/** Writes the keys in the format of Web Fuzzing Commons. */
function writeKeys(peers: Peer[]): string {
  const path = join(folder, 'keys.json')
  const auth = peers.map(({ name, key }) => ({
    name,
    fixedHeaders: [{ name: 'Authorization', value: `Bearer ${key}` }],
  }))
  writeFileSync(path, JSON.stringify({ auth }))
  return path
}

async function fuzz(program: string, url: string, keys: string): Promise<number> {
  const config = ['--config-file', join(rules, 'schemathesis.toml')]
  const bounds = ['--seed', values.seed, '--max-time', values.seconds]
  const args = [
    ...config,
    'run',
    `${url}/api/v1/openapi.json`,
    '--url',
    `${url}/api/v1`,
    ...bounds,
    ...positionals,
  ]
  const env = { ...process.env, FUZZ_AUTH: keys, SCHEMATHESIS_HOOKS: join(rules, 'checks.py') }
  const child = spawn(program, args, { cwd: folder, env, stdio: ['ignore', 'inherit', 'inherit'] })
  context.after(() => child.kill())
  const [status] = await once(child, 'exit')
  return status ?? 1
}

const program = await installSchemathesis()
const server = await startServer(context, settings)
const keys = writeKeys(await makeSample(server, settings))
process.stdout.write(`Seed ${values.seed}, ${values.seconds} s; again: bin/fuzz --seed ${values.seed}\n`)
const status = await fuzz(program, server.url, keys)
const { status: stopped } = await stopServer(server)
process.stdout.write(server.stderr)
if (stopped !== 0) process.stdout.write(`The server ended with ${stopped}\n`)
end(status || stopped || 0)
