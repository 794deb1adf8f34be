import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from '../../src/core/config/config.ts'
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

test('starts Postgres for a command without a running server, and stops it afterwards', async context => {
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

test('runs several commands at once on a DATA_DIR without a server', async context => {
  const DATA_DIR = makeDataDir(context)
  const names = ['One', 'Two', 'Three']
  const made = names.map(name => spawnDeskbell({ DATA_DIR }, 'project', 'create', '--name', name, '--json'))
  for (const outcome of await Promise.all(made)) readJson(outcome)
  const { items } = readJson<{ items: Project[] }>(await deskbell({ DATA_DIR }, 'project', 'list', '--json'))
  assert.deepEqual(items.map(({ name }) => name).sort(), names.sort())
})

test('applies a command beside a running server at the next request', async context => {
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

test('answers an unknown command, option or id with one line on stderr and status 2', async context => {
  const DATA_DIR = makeFolder(context)
  const { target, drop } = await createDatabase()
  context.after(drop)
  // A shared database: with the folder's own, each command would start and stop Postgres.
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

test('every command has help', async () => {
  const { status, stdout } = await deskbell({}, 'help')
  assert.equal(status, 0)
  for (const [, name] of stdout.matchAll(/^ {2}([a-z]+(?: [a-z-]+)*)/gm)) {
    const help = await deskbell({}, ...name!.split(' '), '--help')
    assert.deepEqual([help.status, help.stdout.startsWith(`deskbell ${name}`)], [0, true])
  }
})

test('starts the help with the version', async () => {
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

test('lists the commands of a group in its help', async () => {
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
