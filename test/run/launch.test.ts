import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from '../../src/core/config/config.ts'
import { until } from '../until.ts'
import { makeFolder, type Program, run } from './program.ts'

/** Replaces npm: records its call, and creates the modules, with the package list last. */
const fakeNpm = `
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
appendFileSync(process.env.NPM_CALLS, process.argv.slice(2).join(' ') + '\\n')
while (existsSync(process.env.NPM_CALLS + '.hold')) await new Promise(resolve => setTimeout(resolve, 10))
if (process.env.NPM_FAILS) process.exit(1)
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
delete packages['']
mkdirSync('node_modules/thing', { recursive: true })
writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages }))
`

interface Project {
  folder: string
  calls: string
  lock(version: string): void
  launch(settings?: Record<string, string>): Program
}

/** A checkout without installed packages, whose program prints its arguments. */
function makeProject(context: { after(run: () => void): void }): Project {
  const folder = makeFolder(context)
  const calls = join(folder, 'calls')
  mkdirSync(join(folder, 'src'))
  cpSync(join(root, 'bin'), join(folder, 'bin'), { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, '.npmrc'), '')
  writeFileSync(join(folder, 'npm.js'), fakeNpm)
  writeFileSync(
    join(folder, 'src/main.ts'),
    'const words: string[] = process.argv.slice(2)\nconsole.log(words.join("|"))\n',
  )
  const lock = (version: string) => {
    const foreign = { version: '1.0.0', optional: true, os: ['plan9'] }
    const packages = {
      '': { optionalDependencies: { foreign: '1' } },
      'node_modules/thing': { version },
      'node_modules/foreign': foreign,
    }
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages }))
  }
  lock('1.0.0')
  const launch = (settings = {}) => {
    const environment = { npm_execpath: join(folder, 'npm.js'), NPM_CALLS: calls, ...settings }
    return run(
      process.execPath,
      [join(folder, 'bin/launch.mjs'), 'src/main.ts', 'a', 'b c'],
      environment,
      folder,
    )
  }
  return { folder, calls, lock, launch }
}

const installs = (program: { stderr: string }): boolean => program.stderr.includes('Installing')

const drafts = (folder: string): string[] =>
  readdirSync(folder).filter(name => name.startsWith('node_modules.new-'))

test('installs at the first launch, says so on stderr, and runs the program with its arguments', async context => {
  const project = makeProject(context)
  const first = await project.launch().ended
  assert.deepEqual([first.status, first.stdout, installs(first)], [0, 'a|b c\n', true])
  assert.deepEqual(drafts(project.folder), [])
  const second = await project.launch().ended
  assert.deepEqual([second.status, second.stdout, second.stderr], [0, 'a|b c\n', ''])
})

test('installs again after an update', async context => {
  const project = makeProject(context)
  await project.launch().ended
  project.lock('2.0.0')
  assert.ok(installs(await project.launch().ended))
  assert.ok(!installs(await project.launch().ended))
})

test('runs the program in each of several launches at once', async context => {
  const project = makeProject(context)
  const outcomes = await Promise.all([project.launch().ended, project.launch().ended, project.launch().ended])
  for (const { status, stdout, stderr } of outcomes)
    assert.deepEqual([status, stdout], [0, 'a|b c\n'], stderr)
  assert.deepEqual(drafts(project.folder), [])
})

test('installs again after a killed install, and cleans up', async context => {
  const project = makeProject(context)
  writeFileSync(`${project.calls}.hold`, '')
  const killed = project.launch()
  await until(() => existsSync(project.calls))
  killed.child.kill('SIGKILL')
  rmSync(`${project.calls}.hold`)
  await killed.ended
  assert.ok(!existsSync(join(project.folder, 'node_modules')))
  const next = await project.launch().ended
  assert.deepEqual([next.status, installs(next)], [0, true])
  assert.deepEqual(drafts(project.folder), [])
})

test('exits with status 1 and says what to do if the install fails', async context => {
  const { folder, launch } = makeProject(context)
  const { status, stdout, stderr } = await launch({ NPM_FAILS: '1' }).ended
  assert.deepEqual([status, stdout], [1, ''])
  assert.match(stderr, /check the network and start again\n$/)
  assert.deepEqual(drafts(folder), [])
})

test('exits with status 1 and names the missing package if Node.js cannot load a library', async context => {
  const { folder } = makeProject(context)
  const node = join(folder, 'node')
  const words = 'node: error while loading shared libraries: libatomic.so.1: cannot open shared object file'
  writeFileSync(node, `#!/bin/sh\necho '${words}' >&2\nexit 127\n`, { mode: 0o755 })
  for (const [path, help] of [
    [node, /libatomic\.so\.1.*apt-get install libatomic1;.* and start again\.\n$/],
    [`${node}.away`, /ENOENT.*Install Node\.js 26 yourself and start again\.\n$/],
  ] as const) {
    const code = `import(${JSON.stringify(join(folder, 'bin/launch.mjs'))}).then(it => it.checkRuns(process.env.OTHER))`
    const { status, stderr } = await run(process.execPath, ['-e', code], { OTHER: path }, folder).ended
    assert.equal(status, 1)
    assert.match(stderr, help)
  }
})

test('exits with the status of the program', async context => {
  const project = makeProject(context)
  writeFileSync(join(project.folder, 'src/main.ts'), 'process.exit(7)')
  assert.equal((await project.launch().ended).status, 7)
})
