import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { root } from '../../src/core/config/config.ts'
import { makeTicket } from '../cast.ts'
import { freePort } from '../free-port.ts'
import { startServer } from '../server.ts'
import { until } from '../until.ts'

const readme = readFileSync(join(root, 'README.md'), 'utf8')

/** The one code block of this language that contains this word, with the ports replaced. */
function readCode(language: string, word: string, ports: Record<number, number>): string {
  const blocks = [...readme.matchAll(/^```(\w+)\n(.*?)^```/gms)]
    .filter(([, name, code]) => name === language && code!.includes(word))
    .map(([, , code]) => code!)
  assert.equal(blocks.length, 1, `${language} with ${word}`)
  return Object.entries(ports).reduce((code, [from, to]) => code.replace(from, String(to)), blocks[0]!)
}

const answerOf = (url: string): Promise<number> =>
  until(() =>
    fetch(url, { method: 'POST', body: '{}' }).then(
      ({ status }) => status,
      () => null,
    ),
  )

function run(
  context: TestContext,
  command: string,
  file: string,
  code: string,
  env: Record<string, string>,
): ChildProcess {
  const folder = mkdtempSync(join(tmpdir(), 'deskbell receiver '))
  writeFileSync(join(folder, file), code)
  const child = spawn(command, [join(folder, file)], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  context.after(() => {
    child.kill()
    rmSync(folder, { recursive: true, force: true })
  })
  return child
}

async function verify(context: TestContext, command: string, language: string, file: string): Promise<void> {
  const server = await startServer()
  context.after(() => server.close())
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/`
  const { body } = await server.api.post('/webhooks', { url, events: ['ticket.created'] })
  const child = run(context, command, file, readCode(language, 'sha256', { 4000: port }), {
    SECRET: body.secret,
  })
  assert.equal(await answerOf(url), 401, 'a body without a signature')
  const printed = once(child.stdout!, 'data')
  await makeTicket(server.api)
  assert.equal(String((await printed)[0]).trim(), 'ticket.created')
}

test("the README's receiver in Node.js accepts only genuine webhooks", context =>
  verify(context, process.execPath, 'js', 'receiver.mjs'))

const python = spawnSync('python3', ['-c', 'import sys; sys.stdout.write(sys.executable)']).stdout?.toString()

test(
  "the README's receiver in Python accepts only genuine webhooks",
  {
    skip: !python && 'Python is not installed',
  },
  context => verify(context, python!, 'python', 'receiver.py'),
)

test("the README's poller prints events as they happen", async context => {
  const server = await startServer()
  context.after(() => server.close())
  const code = readCode('js', '/updates', { 3000: Number(new URL(server.url).port) })
  const child = run(context, process.execPath, 'poller.mjs', code, { KEY: server.acme.key.key })
  for (let times = 0; times < 2; times++) {
    // Listen first: the program may print before the response arrives.
    const printed = once(child.stdout!, 'data')
    await makeTicket(server.api)
    assert.equal(String((await printed)[0]).trim(), 'ticket.created')
  }
})

function fails(command: string, file: string, code: string, env: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'deskbell receiver '))
  writeFileSync(join(folder, file), code)
  const ended = spawnSync(command, [join(folder, file)], { env, encoding: 'utf8' })
  rmSync(folder, { recursive: true, force: true })
  return { status: ended.status, stderr: ended.stderr }
}

test("the README's receivers refuse to start without SECRET", () => {
  const expected = { status: 1, stderr: 'Set SECRET to the secret of the webhook.\n' }
  assert.deepEqual(fails(process.execPath, 'receiver.mjs', readCode('js', 'sha256', {}), {}), expected)
  if (python) assert.deepEqual(fails(python, 'receiver.py', readCode('python', 'sha256', {}), {}), expected)
})

test("the README's poller stops with a message when its key is wrong", async context => {
  const server = await startServer()
  context.after(() => server.close())
  const code = readCode('js', '/updates', { 3000: Number(new URL(server.url).port) })
  const child = run(context, process.execPath, 'poller.mjs', code, { KEY: 'sk_wrong' })
  const said = String((await once(child.stderr!, 'data'))[0])
  const [status] = await once(child, 'exit')
  assert.deepEqual([said, status], ['No answer with events: 401\n', 1])
})

test('every file that the README links to exists', () => {
  const links = [...readme.matchAll(/\]\(([^)#]+)\)/g)].map(([, path]) => path!)
  assert.deepEqual(
    links.filter(path => !path.startsWith('http') && !existsSync(join(root, path))),
    [],
  )
})
