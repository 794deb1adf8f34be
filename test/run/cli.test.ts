import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from '../../src/core/config.ts'
import { addressOf, createDatabase } from '../database.ts'
import {
  deskbell,
  makeDataDir,
  makeFolder,
  type Outcome,
  spawnDeskbell,
  startServer,
  stopServer,
} from './program.ts'

function readJson<T>({ status, stdout, stderr }: Outcome): T {
  assert.equal(status, 0, stderr)
  assert.equal(stdout.trimEnd().split('\n').length, 1)
  return JSON.parse(stdout)
}

function assertMistake({ status, stdout, stderr }: Outcome): void {
  assert.equal(status, 2)
  assert.equal(stdout, '')
  assert.match(stderr, /^[^\n]+\n$/)
}

interface Project {
  id: string
  name: string
  plan: string
}

interface Key {
  id: string
  key: string
  prefix: string
}

test('alone, the command line starts Postgres, works and stops it', async context => {
  const DATA_DIR = makeDataDir(context)
  const made = readJson<Project>(
    await deskbell({ DATA_DIR }, 'project', 'create', '--name', 'Acme', '--json'),
  )
  assert.deepEqual(Object.keys(made), ['id', 'name', 'plan', 'slug'])
  const { items } = readJson<{ items: Project[] }>(await deskbell({ DATA_DIR }, 'project', 'list', '--json'))
  assert.deepEqual(
    items.map(({ id, name }) => [id, name]),
    [[made.id, 'Acme']],
  )
  assert.match((await deskbell({ DATA_DIR }, 'project', 'list')).stdout, /^ID +NAME .*\n.*Acme/)
})

test('several command lines at once on one DATA_DIR that no server runs on all do their work', async context => {
  const DATA_DIR = makeDataDir(context)
  const names = ['One', 'Two', 'Three']
  const made = names.map(name => spawnDeskbell({ DATA_DIR }, 'project', 'create', '--name', name, '--json'))
  for (const outcome of await Promise.all(made)) readJson(outcome)
  const { items } = readJson<{ items: Project[] }>(await deskbell({ DATA_DIR }, 'project', 'list', '--json'))
  assert.deepEqual(items.map(({ name }) => name).sort(), names.sort())
})

test('beside a server, what the command line does holds at the next request', async context => {
  const DATA_DIR = makeDataDir(context)
  const server = await startServer(context, { DATA_DIR })
  const cli = async <T>(...args: string[]) => readJson<T>(await deskbell({ DATA_DIR }, ...args, '--json'))
  const { id: project } = await cli<Project>('project', 'create', '--name', 'Rival')
  const { id, key, prefix } = await cli<Key>('key', 'create', '--project', project, '--name', 'first')
  assert.ok(key.startsWith(prefix) && key.length > prefix.length)
  const ask = async () =>
    (await fetch(`${server.url}/api/v1/tickets`, { headers: { authorization: `Bearer ${key}` } })).status
  assert.equal(await ask(), 200)
  await cli('project', 'suspend', project)
  assert.equal(await ask(), 401)
  await cli('project', 'resume', project)
  assert.equal(await ask(), 200)
  assert.deepEqual(await cli('maintenance', 'on'), { maintenance: true })
  assert.equal(await ask(), 503)
  await cli('maintenance', 'off')
  assert.equal(await ask(), 200)
  await cli('key', 'disable', id)
  assert.equal(await ask(), 401)
  const { items } = await cli<{ items: { is_active: boolean }[] }>('key', 'list', '--project', project)
  assert.deepEqual(
    items.map(item => item.is_active),
    [false],
  )
  await cli('key', 'delete', id)
  assert.deepEqual(await cli('key', 'list', '--project', project), { items: [] })
  assert.equal((await stopServer(server)).status, 0)
})

test('an unknown command, option or id is one line on stderr and status 2', async context => {
  const DATA_DIR = makeFolder(context)
  const { target, drop } = await createDatabase()
  context.after(drop)
  // Not the one of the folder, which each command would start and stop.
  const ask = (...words: string[]) => deskbell({ DATA_DIR, DATABASE_URL: addressOf(target) }, ...words)
  const gold = await ask('project', 'create', '--name', 'x', '--plan', 'gold')
  assert.equal(gold.stderr, 'Plan "gold" does not exist; these do: unlimited\n')
  const missing = '0197f3c2-6a1e-7c3a-9d0b-3f0a5f2c9b11'
  const mistakes = [
    ['frobnicate'],
    ['project'],
    ['project', 'create'],
    ['project', 'create', '--name'],
    ['project', 'create', '--name', 'x', '--colour', 'red'],
    ['project', 'create', '--name', 'Acme\r\nBcc: all@example.com'],
    ['project', 'create', '--name', 'x'.repeat(256)],
    ['project', 'create', '--name', 'x', '--plan', 'gold'],
    ['project', 'suspend'],
    ['project', 'suspend', missing],
    ['project', 'resume', 'seven'],
    ['key', 'create', '--project', missing, '--name', 'x'],
    ['key', 'list', '--project', missing, '--json'],
    ['key', 'disable', missing],
    ['key', 'delete', missing],
    ['maintenance', 'perhaps'],
  ]
  for (const words of mistakes) assertMistake(await ask(...words))
})

test('every command explains itself', async () => {
  const { status, stdout } = await deskbell({}, 'help')
  assert.equal(status, 0)
  for (const [, name] of stdout.matchAll(/^ {2}([a-z]+(?: [a-z-]+)*)/gm)) {
    const help = await deskbell({}, ...name!.split(' '), '--help')
    assert.deepEqual([help.status, help.stdout.startsWith(`deskbell ${name}`)], [0, true])
  }
})

test('the help begins with the version', async () => {
  const [help, version] = [await deskbell({}, 'help'), await deskbell({}, '--version')]
  assert.ok(help.stdout.startsWith(`Deskbell ${version.stdout.trim()}: `))
})

test('no line of the help is longer than 100 characters', async () => {
  const { stdout } = await deskbell({}, 'help')
  assert.deepEqual(
    stdout.split('\n').filter(line => line.length > 100),
    [],
  )
})

test('help for a first word lists the commands that begin with it', async () => {
  const { status, stdout } = await deskbell({}, 'help', 'plan')
  const names = [...stdout.matchAll(/^ {2}([a-z]+ [a-z]+)/gm)].map(([, name]) => name)
  assert.deepEqual([status, names], [0, ['plan set', 'plan list', 'plan delete']])
  assertMistake(await deskbell({}, 'help', 'plans'))
})

test('--version prints the version', async () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const { status, stdout } = await spawnDeskbell({}, '--version')
  assert.deepEqual([status, stdout], [0, `${version}\n`])
})
