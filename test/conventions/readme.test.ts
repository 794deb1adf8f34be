import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { root } from '../../src/core/config.ts'
import { makeTicket } from '../cast.ts'
import { startServer } from '../server.ts'

const readme = readFileSync(join(root, 'README.md'), 'utf8')

/** The one code block of a language, with the port changed. */
function readCode(language: string, port: number): string {
  const blocks = [...readme.matchAll(/^```(\w+)\n(.*?)^```/gms)].filter(([, name]) => name === language)
  assert.equal(blocks.length, 1, language)
  return blocks[0]![2]!.replace('4000', String(port))
}

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}

async function answers(url: string, tries = 100): Promise<number> {
  try {
    return (await fetch(url, { method: 'POST', body: '{}' })).status
  } catch (error) {
    if (tries === 0) throw error
    await sleep(50)
    return answers(url, tries - 1)
  }
}

function run(
  context: TestContext,
  command: string,
  file: string,
  code: string,
  secret: string,
): ChildProcess {
  const folder = mkdtempSync(join(tmpdir(), 'deskbell receiver '))
  writeFileSync(join(folder, file), code)
  const stdio: ['ignore', 'pipe', 'ignore'] = ['ignore', 'pipe', 'ignore']
  const child = spawn(command, [join(folder, file)], { env: { SECRET: secret }, stdio })
  context.after(() => {
    child.kill()
    rmSync(folder, { recursive: true, force: true })
  })
  return child
}

async function verify(context: TestContext, command: string, language: string, file: string): Promise<void> {
  const server = await startServer()
  context.after(() => server.close())
  const port = await findPort()
  const url = `http://127.0.0.1:${port}/`
  const { body } = await server.api.post('/webhooks', { url, events: ['ticket.created'] })
  const child = run(context, command, file, readCode(language, port), body.secret)
  assert.equal(await answers(url), 401, 'a body without a signature')
  await makeTicket(server.api)
  const [printed] = await once(child.stdout!, 'data')
  assert.equal(String(printed).trim(), 'ticket.created')
}

test("the README's receiver in Node.js takes what is genuine and nothing else", context =>
  verify(context, process.execPath, 'js', 'receiver.mjs'))

const python = spawnSync('python3', ['-c', 'import sys; sys.stdout.write(sys.executable)']).stdout?.toString()

test(
  "the README's receiver in Python takes what is genuine and nothing else",
  {
    skip: !python && 'there is no Python',
  },
  context => verify(context, python!, 'python', 'receiver.py'),
)

test('every file that the README links to is there', () => {
  const links = [...readme.matchAll(/\]\(([^)#]+)\)/g)].map(([, path]) => path!)
  assert.deepEqual(
    links.filter(path => !path.startsWith('http') && !existsSync(join(root, path))),
    [],
  )
})
