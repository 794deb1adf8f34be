import assert from 'node:assert/strict'
import { test } from 'node:test'
import scslre from 'scslre'
import { parseSync, Visitor } from 'vite'
import { readSources } from './sources.ts'

/**
 * A regular expression with quadratic or worse time blocks the process on 16 KB of a hostile text. Each
 * expression in `src` and `web`, including schema patterns, is linear, or is listed here with the reason why
 * its input is harmless. The analysis does not cover backreferences, nor expressions that are built at run
 * time.
 */
const listed: Record<string, string> = {
  '/<(h[1-6])((?: (?:dir|lang)="[^"]*")*)>(.*?)<\\/\\1>/gs':
    'knowledge/render.ts: sanitised HTML, in which every heading is closed',
  '/<h([1-6])((?:\\s[^>]*)?)>(.*?)<\\/h\\1>/gs':
    'help/article-html.ts: the HTML of an article, in which every heading is closed',
}

const made: Record<string, string> = {
  'src/conditions/evaluate.ts': 'words of a condition, without any punctuation',
  'src/conditions/folded.ts': 'one set of characters',
  'src/core/db/postgres/account.ts': 'lines of /etc/passwd',
  'web/dashboard/rich-text/editor-handle.ts': 'the word before the cursor',
  'web/dashboard/rich-text/schema.ts': 'the sign of a mark; the text before the cursor',
}

interface Found {
  path: string
  pattern: string
  flags: string
}

const sources = readSources('src/**/*.ts', 'web/**/*.{ts,tsx}').filter(
  ({ path }) => !/\.(?:test|d)\.tsx?$|\/dist\//.test(path),
)

const literals: Found[] = []
const makers = new Set<string>()
for (const { path, text } of sources) {
  const makes = ({ callee }: { callee: { type: string; name?: string } }) => {
    if (callee.type === 'Identifier' && callee.name === 'RegExp') makers.add(path)
  }
  new Visitor({
    Literal(node) {
      if ('regex' in node) literals.push({ path, ...node.regex })
    },
    Property({ key, value }) {
      const isPattern = key.type === 'Identifier' && key.name === 'pattern' && value.type === 'Literal'
      if (isPattern && typeof value.value === 'string')
        literals.push({ path, pattern: value.value, flags: 'u' })
    },
    NewExpression: node => makes(node as never),
    CallExpression: node => makes(node as never),
  }).visit(parseSync(path, text).program)
}

const spell = ({ pattern, flags }: Found): string => `/${pattern}/${flags}`

const isLinear = ({ pattern, flags }: Found): boolean =>
  !/\\[1-9]|\\k</.test(pattern) && scslre.analyse(new RegExp(pattern, flags)).reports.length === 0

const slow = literals.filter(found => !isLinear(found))

test('every regular expression takes linear time, or is listed with its reason', () => {
  assert.ok(literals.length > 200)
  assert.deepEqual(
    slow.filter(found => !(spell(found) in listed)).map(found => `${found.path}: ${spell(found)}`),
    [],
  )
})

test('every listed regular expression still exists, and is still not linear', () => {
  const spelt = new Set(slow.map(spell))
  assert.deepEqual(
    Object.keys(listed).filter(one => !spelt.has(one)),
    [],
  )
})

test('every file that builds regular expressions at run time is listed with its reason', () => {
  assert.deepEqual([...makers].sort(), Object.keys(made).sort())
})

test('detects the expressions that once blocked a process', () => {
  const old = [
    '([?&][^=&]*(?:key|token|secret|password|signature|auth)[^=&]*=)[^&]*',
    String.raw`\/+$`,
    String.raw`^\S+@\S+\.\S+$`,
  ]
  assert.deepEqual(
    old.filter(pattern => isLinear({ path: '', pattern, flags: 'gi' })),
    [],
  )
})
