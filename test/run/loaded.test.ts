import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createClient } from '../client.ts'
import { until } from '../until.ts'
import { keyOf, makeFolder, startServer } from './program.ts'

/** Packages for features that few installations or few requests use. */
const unneeded =
  /@opentelemetry\/\S+|@aws-sdk\/\S+|better-auth|file-type|ioredis|markdown-it|nodemailer|pdfkit|postcss|sanitize-html|sharp|stripe|yaml|yauzl|yazl|zod/g

test('does not load packages for files, Markdown and traces before they are needed', async t => {
  const loader = fileURLToPath(new URL('loaded.ts', import.meta.url))
  const server = await startServer(t, { DATA_DIR: makeFolder(t), NODE_OPTIONS: `--import=${loader}` })
  const api = createClient(`${server.url}/api/v1`, keyOf(server))
  const sent = { contact: { email: 'ann@example.com' }, content: 'Where is it?' }
  assert.equal((await api.post('/tickets', sent)).status, 201)
  server.child.kill('SIGUSR2')
  const [line] = await until(() => /^loaded .*$/m.exec(server.stdout))
  assert.match(line!, /\bfastify\b/)
  assert.deepEqual(line!.match(unneeded) ?? [], [])
})
