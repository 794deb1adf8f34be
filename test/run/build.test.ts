import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { root } from '../../src/core/config/config.ts'
import { until } from '../until.ts'
import { makeFolder, run } from './program.ts'

/** A checkout with a tiny dashboard and widget, so that building takes only a moment. */
function makeCheckout(context: TestContext) {
  const folder = makeFolder(context)
  const web = join(folder, 'web')
  mkdirSync(join(web, 'dashboard/notifications'), { recursive: true })
  for (const name of ['frame', 'loader']) mkdirSync(join(web, 'widget', name), { recursive: true })
  const own = [
    'build.ts',
    'vite.config.ts',
    'logger.ts',
    'widget/vite.config.ts',
    'widget/tarball.ts',
    'widget/package',
    'widget/LICENSE',
  ]
  const copied = own.map(name => `web/${name}`)
  for (const name of [...copied, 'package.json', 'package-lock.json'])
    cpSync(join(root, name), join(folder, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const write = (words: string) =>
    writeFileSync(join(web, 'dashboard/main.ts'), `document.title = '${words}'`)
  writeFileSync(join(web, 'dashboard/index.html'), '<script type="module" src="./main.ts"></script>')
  writeFileSync(join(web, 'dashboard/notifications/service-worker.ts'), 'skipWaiting()')
  writeFileSync(join(web, 'widget/frame/index.html'), '<title>Chat</title>')
  writeFileSync(join(web, 'widget/loader/main.ts'), "document.title = 'loader'")
  write('first')
  const dist = join(web, 'dist')
  const place = join(dist, 'dashboard')
  return {
    folder,
    dist,
    write,
    build: () => run(process.execPath, [join(web, 'build.ts')], {}, folder),
    /** The contents of the built script. */
    read() {
      const assets = join(place, 'assets')
      const script = readdirSync(assets).find(name => name.endsWith('.js'))!
      for (const ending of ['br', 'gz']) assert.ok(existsSync(join(assets, `${script}.${ending}`)))
      return readFileSync(join(assets, script), 'utf8')
    },
  }
}

const drafts = (dist: string): string[] => readdirSync(dist).filter(name => name.startsWith('dashboard.new'))

test('builds the dashboard only when its sources have changed', async context => {
  const { build, read, write, dist } = makeCheckout(context)
  const first = await build().ended
  assert.deepEqual([first.status, first.stdout], [0, ''], first.stderr)
  assert.match(
    first.stderr,
    /^Building the dashboard .*\nBuilt in .*\nBuilding the website widget .*\nBuilt in \d+ s\.\n$/,
  )
  assert.match(read(), /first/)
  assert.equal((await build().ended).stderr, '')
  write('second')
  assert.equal((await build().ended).status, 0)
  assert.match(read(), /second/)
  assert.deepEqual(drafts(dist), [])
})

test('several builds at once leave one complete dashboard', async context => {
  const { build, read, dist } = makeCheckout(context)
  for (const { status, stderr } of await Promise.all([1, 2, 3].map(() => build().ended)))
    assert.equal(status, 0, stderr)
  assert.match(read(), /first/)
  assert.deepEqual(drafts(dist), [])
})

test('a killed build keeps the previous dashboard, and the next build cleans up', async context => {
  const { build, read, write, dist, folder } = makeCheckout(context)
  await build().ended
  write('second')
  const config = join(folder, 'web/vite.config.ts')
  const words = readFileSync(config, 'utf8')
  // The build waits in the middle, where it would otherwise not stay for long.
  writeFileSync(config, `${words}\nAtomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)\n`)
  const killed = build()
  await until(() => drafts(dist).length > 0)
  killed.child.kill('SIGKILL')
  await killed.ended
  writeFileSync(config, words)
  assert.match(read(), /first/)
  assert.equal((await build().ended).status, 0)
  assert.match(read(), /second/)
  assert.deepEqual(drafts(dist), [])
})

test('a failed build keeps the previous dashboard, and shows the reason', async context => {
  const { build, read, write, dist } = makeCheckout(context)
  await build().ended
  write("' +")
  const { status, stderr } = await build().ended
  assert.equal(status, 1)
  assert.match(stderr, /main\.ts/)
  assert.match(read(), /first/)
  assert.deepEqual(drafts(dist), [])
})
