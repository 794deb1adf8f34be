import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { root } from '../../src/core/config/config.ts'
import { readSources } from './sources.ts'

/** The code of the widget, and its size in the browser. */

const built = join(root, 'web/dist/widget')
const weigh = (...names: string[]): number =>
  names.reduce((sum, name) => sum + gzipSync(readFileSync(join(built, name))).length, 0)

const sources = readSources('web/widget/**/*.{ts,tsx}').filter(({ path }) => !path.endsWith('.d.ts'))
const styles = readSources('web/widget/**/*.css')
const texts = sources.filter(({ path }) => path.includes('/core/texts/'))

test('the script that sites load has at most 15 KB', () => {
  assert.ok(weigh('widget.js') <= 15 * 1024, `${weigh('widget.js')} bytes`)
})

test('everything loaded before the chat can be used has at most 60 KB', () => {
  const page = readFileSync(join(built, 'index.html'), 'utf8')
  const named = [...page.matchAll(/(?:src|href)="\/widget\/([^"]+)"/g)].map(([, name]) => name!)
  assert.equal(named.length, 2)
  const sum = weigh('index.html', ...named)
  assert.ok(sum <= 60 * 1024, `${sum} bytes`)
})

test('the widget script is one file that loads no other code', () => {
  const script = readFileSync(join(built, 'widget.js'), 'utf8')
  assert.doesNotMatch(script, /\bimport\b|\beval\b|\bFunction\(|innerHTML|\bfetch\(|XMLHttpRequest/)
})

test('no file of the widget has more than 200 lines', () => {
  const long = [...sources, ...styles].filter(({ text }) => text.trimEnd().split('\n').length > 200)
  assert.deepEqual(
    long.map(({ path }) => path),
    [],
  )
})

test('the widget never writes to the console, and requests nothing from other servers', () => {
  const code = sources.filter(({ path }) => !path.includes('/texts/') && !path.endsWith('element.ts'))
  const named = [...code, ...styles].filter(({ text }) => /\bconsole\.|https?:\/\/|@import|url\(/.test(text))
  assert.deepEqual(
    named.map(({ path }) => path),
    [],
  )
})

test('the styles of the chat work in both reading directions', () => {
  const sided =
    /\b(?:margin|padding|border)-(?:left|right)\b|(?:^|[\s;{])(?:left|right):|text-align: (?:left|right)/
  assert.deepEqual(
    styles.filter(({ text }) => sided.test(text)).map(({ path }) => path),
    [],
  )
})

test('every language has every text, with the same placeholders', async () => {
  assert.equal(texts.length, 17)
  const load = async (path: string) =>
    Object.values((await import(join(root, path))) as Record<string, Record<string, string>>)[0]!
  const namesIn = (words: unknown) => [...String(words).matchAll(/\{\w+\}/g)].map(([name]) => name).sort()
  const en = await load(texts.find(({ path }) => path.endsWith('/en.ts'))!.path)
  for (const { path } of texts) {
    const own = await load(path)
    assert.deepEqual(Object.keys(own), Object.keys(en), path)
    for (const key of Object.keys(en)) assert.deepEqual(namesIn(own[key]), namesIn(en[key]), `${path} ${key}`)
  }
})
