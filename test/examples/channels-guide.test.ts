import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { root } from '../../src/core/config/config.ts'
import { makeChannel, type Program } from '../custom-channel.ts'
import { needs } from '../needs.ts'
import { joinProject } from '../operator.ts'
import { run } from '../run/program.ts'
import { startServer, type TestServer } from '../server.ts'
import { accessOf } from './example.ts'

/** The commands in docs/channels.md, run as a reader would copy them. */

const needed = needs('curl')
const guide = readFileSync(join(root, 'docs/channels.md'), 'utf8')
const commands = [...guide.matchAll(/^```sh\n(.*?)^```/gms)].map(([, code]) => code!)

let server: TestServer
let program: Program
before(async () => {
  server = await startServer({ delivers: false })
  const { api } = await joinProject(server, server.acme, { role: 'admin' })
  program = await makeChannel(api, server.api, { name: 'signal' })
})
after(() => server.close())

/** Runs the block that contains this word, and returns the last line of its output as JSON. */
async function execute(word: string, values: Record<string, string> = {}) {
  const [block, ...more] = commands.filter(code => code.includes(word))
  assert.ok(block && more.length === 0, `one block with ${word}`)
  const code = Object.entries(values).reduce((text, [from, to]) => text.replace(from, to), block)
  const { DESKBELL_URL, DESKBELL_API_KEY } = accessOf(server)
  const script = code.replaceAll(/^curl /gm, 'curl -sS -w "\\n" ')
  const outcome = await run('bash', ['-ec', script], { DESKBELL_URL, DESKBELL_API_KEY }).ended
  assert.equal(outcome.status, 0, outcome.stderr)
  return JSON.parse(outcome.stdout.trim().split('\n').at(-1)!)
}

test(
  'the commands in the guide post a message, report a delivery and delete the message',
  needed,
  async () => {
    const posted = await execute('/messages -H')
    assert.deepEqual(
      [posted.channel, posted.content, posted.created_at],
      ['custom:signal', 'Where is my order?', '2026-01-15T10:30:00.000000'],
    )
    await server.api.post(`/tickets/${posted.ticket_id}/messages`, {
      content: 'On Thursday',
      reply_to_id: posted.id,
    })
    const [waiting] = await program.outgoing()
    assert.partialDeepStrictEqual(waiting, {
      contact: { external_id: 'u-42' },
      reply_to_external_id: 'm-1001',
    })
    const id = '0197f3c2-6a1e-7c3a-9d0b-3f0a5f2c9b11'
    const reported = await execute('/deliveries', { [id]: waiting!.message.id })
    assert.equal(reported.delivery.status, 'sent')
    const deleted = await execute('-X DELETE')
    assert.deepEqual([deleted.id, deleted.content, deleted.deleted_at !== null], [posted.id, '', true])
  },
)
