import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { root, settings } from '../../src/core/config.ts'

const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const dockerfile = read('Dockerfile')
const unit = read('packaging/deskbell.service')
const known = new Set(settings.map(({ name }) => name))
/** What is not ours to define. */
const foreign = ['NODE_ENV', 'NODE_COMPILE_CACHE']

const settingsIn = (text: string): string[] =>
  [...text.matchAll(/\b([A-Z][A-Z0-9_]+)=/g)].map(([, name]) => name!).filter(name => !foreign.includes(name))

const linesOf = (text: string, word: string): string[] =>
  text
    .split('\n')
    .filter(line => line.startsWith(word))
    .map(line => line.slice(word.length))

test('what the Dockerfile copies out of the checkout is there, and not left out by .dockerignore', () => {
  const ignored = read('.dockerignore').split('\n')
  const copied = linesOf(dockerfile, 'COPY ')
    .filter(line => !line.startsWith('--from'))
    .flatMap(line => line.split(' ').slice(0, -1))
  assert.ok(copied.length > 5)
  assert.deepEqual(
    copied.filter(path => !existsSync(join(root, path)) || ignored.includes(path)),
    [],
  )
})

test('the image has no tools of developers, a user of its own, and asks a path that the server answers', () => {
  const [, modules = '', last = ''] = dockerfile.split(/^FROM .*$/m).slice(1)
  assert.match(modules, /npm ci --ignore-scripts --omit=dev/)
  assert.doesNotMatch(last, /npm ci|--from=dashboard \S*node_modules/)
  assert.ok(
    last.indexOf('USER node') > 0 && last.indexOf('USER node') < last.indexOf('CMD ["node", "src/main.ts"]'),
  )
  assert.match(last, /HEALTHCHECK[\s\S]*\/healthz/)
  assert.ok(read('src/front.ts').includes("'/healthz'"))
})

test('the settings that the image, the compose file and the unit give exist', () => {
  const compose = parse(read('compose.yaml'), { merge: true })
  const { deskbell, worker } = compose.services
  const given = [
    ...linesOf(dockerfile, 'ENV ').flatMap(settingsIn),
    ...linesOf(unit, 'Environment=').flatMap(settingsIn),
    ...Object.keys(deskbell.environment),
    ...Object.keys(worker.environment),
  ]
  assert.ok(given.length > 15)
  assert.deepEqual(
    given.filter(name => !known.has(name)),
    [],
  )
})

test('every role runs in some service of the compose file, and what a service waits for is one', () => {
  const { services, volumes } = parse(read('compose.yaml'), { merge: true })
  const { deskbell, worker } = services
  assert.equal(`${deskbell.environment.ROLES},${worker.environment.ROLES}`, 'http,deliver,jobs')
  for (const service of Object.values<{ depends_on?: object; volumes?: string[] }>(services)) {
    for (const name of Object.keys(service.depends_on ?? {})) assert.ok(services[name], name)
    for (const volume of service.volumes ?? []) assert.ok(volume.split(':')[0]! in volumes, volume)
  }
})

test('the unit starts a file that is there, and lets a stop take as long as Deskbell may', () => {
  const [, script, entry] = /ExecStart=\S+ node \/opt\/deskbell\/(\S+) (\S+)/.exec(unit)!
  assert.ok(existsSync(join(root, script!)) && existsSync(join(root, entry!)))
  const itself = Number(/longestStop = ([\d_]+)/.exec(read('src/main.ts'))![1]!.replace('_', ''))
  const longest =
    itself + Number(/`STOP_DELAY=(\d+)s` with the lines/.exec(read('docs/operations.md'))![1]) * 1_000
  assert.ok(Number(/TimeoutStopSec=(\d+)/.exec(unit)![1]) * 1_000 > longest)
  assert.ok(
    Number.parseInt(parse(read('compose.yaml'), { merge: true }).services.deskbell.stop_grace_period, 10) *
      1_000 >
      longest,
  )
})
