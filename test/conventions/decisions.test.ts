import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from '../../src/core/config/config.ts'

/** docs/decisions: a short page for each decision, and an index of them. */

const folder = join(root, 'docs/decisions')
const read = (file: string): string => readFileSync(join(folder, file), 'utf8')
const pages = readdirSync(folder).filter(file => file !== 'README.md')

const maxLines = 60

/** The index row for a page: number, title with link, status and date. */
function rowOf(file: string): string {
  const text = read(file)
  const [, number, title] = /^# (\d+)\. (.+)\n\n/.exec(text) ?? []
  const state = text.split('\n\n')[1]!.replaceAll('\n', ' ')
  const [, date] = /Accepted on (\d{4}-\d\d-\d\d)\./.exec(state) ?? []
  const [, whole, link] =
    /(Superseded on [-\d]+|superseded|narrowed) by \[decision (\d+\]\([\w-]+\.md\))/.exec(state) ?? []
  const status = !link
    ? 'accepted'
    : `${whole!.startsWith('S') ? '' : 'accepted, partly '}superseded by [${link}`
  return `| ${number} | [${title}](${file}) | ${status} | ${date} |`
}

test('the index of decisions lists each page with its number, title, status and date', () => {
  const rows = read('README.md')
    .split('\n')
    .filter(line => /^\| \d/.test(line))
  assert.ok(pages.length > 40)
  assert.deepEqual(rows, pages.sort().map(rowOf))
})

test('the file name of a decision starts with its number', () => {
  const misnamed = pages.filter(file => Number(file.slice(0, 4)) !== Number(/^# (\d+)/.exec(read(file))?.[1]))
  assert.deepEqual(misnamed, [])
})

test(`no decision is longer than ${maxLines} lines`, () => {
  const isLong = (file: string) => read(file).trimEnd().split('\n').length > maxLines
  assert.deepEqual(pages.filter(isLong), [])
})

test('every link from a decision to a file works', () => {
  const broken = ['README.md', ...pages].flatMap(file =>
    [...read(file).matchAll(/\]\(([^)#:]+)(#[^)]*)?\)/g)]
      .map(([, path]) => path!)
      .filter(path => !existsSync(join(folder, path)))
      .map(path => `${file}: ${path}`),
  )
  assert.deepEqual(broken, [])
})
