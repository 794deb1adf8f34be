import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { test } from 'node:test'
import { root } from '../../src/core/config.ts'
import { readSources } from './sources.ts'

/** What the dashboard in the browser is made of. */
const sources = readSources('web/dashboard/**/*.{ts,tsx}').filter(({ path }) => !path.endsWith('.d.ts'))
const styles = readSources('web/dashboard/**/*.css')

test('no file of the dashboard is longer than 200 lines', () => {
  assert.ok(sources.length > 40)
  const long = [...sources, ...styles].filter(({ text }) => text.trimEnd().split('\n').length > 200)
  assert.deepEqual(
    long.map(({ path }) => path),
    [],
  )
})

test('core knows nothing of what the dashboard is about', () => {
  const core = sources.filter(({ path }) => path.startsWith('web/dashboard/core/'))
  const reaching = core.flatMap(({ path, text }) =>
    [...text.matchAll(/\bfrom '(\.[^']+)'|\bimport\('(\.[^']+)'\)/g)]
      .map(([, first, second]) => posix.join(posix.dirname(path), first ?? second!))
      .filter(to => !/^web\/dashboard\/(core\/|api\.d\.ts$)|^src\/core\/color\.ts$/.test(to))
      .map(to => `${path} imports ${to}`),
  )
  assert.deepEqual(reaching, [])
})

test('the page asks nothing of other servers', () => {
  const code = sources.filter(({ path }) => !path.startsWith('web/dashboard/core/texts/'))
  const named = [...code, ...styles].filter(({ text }) => /https?:\/\/|@import|url\(/.test(text))
  assert.deepEqual(
    named.map(({ path }) => path),
    [],
  )
})

test('what the build makes of light-dark() has both colours', () => {
  const built = globSync('web/dist/dashboard/assets/*.css', { cwd: root })
    .map(path => readFileSync(join(root, path), 'utf8'))
    .join('')
  const [used] = /var\(--lightningcss-(light|dark)\b/.exec(built) ?? []
  assert.equal(!used || /--lightningcss-light:\s*initial/.test(built), true, 'No rule sets color-scheme')
})

test('styles work in both directions of reading', () => {
  const sided =
    /\b(?:margin|padding|border)-(?:left|right|top|bottom)\b|(?:^|[\s;{])(?:left|right):|text-align: (?:left|right)/
  assert.deepEqual(
    styles.filter(({ text }) => sided.test(text)).map(({ path }) => path),
    [],
  )
})

test('the dashboard says nothing through the console', () => {
  assert.deepEqual(
    sources.filter(({ text }) => /\bconsole\./.test(text)).map(({ path }) => path),
    [],
  )
})
