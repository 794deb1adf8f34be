import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeFolder, run } from './run/program.ts'

/** A hook that opens a resource, as most do. Each test adds the rest of the file. */
const begin = `
  import { before, test } from 'node:test'
  import { createServer } from 'node:net'
  const open = () => new Promise(done => createServer().listen(0, '127.0.0.1', done))`

async function runFile(context: { after(run: () => void): void }, content: string) {
  const file = join(makeFolder(context), 'one.test.mjs')
  writeFileSync(file, `${begin}\n${content}`)
  const program = run(process.execPath, ['--test', '--import=./test/ending.ts', '--test-reporter=tap', file])
  const timer = setTimeout(() => program.child.kill('SIGINT'), 120_000)
  const outcome = await program.ended
  clearTimeout(timer)
  return outcome
}

test('a file whose hook fails halfway ends with the error of the hook', async context => {
  const { status, stdout } = await runFile(
    context,
    `before(async () => { await open(); throw new Error('halfway') })
    test('one', () => {})
    test('two', () => {})`,
  )
  assert.equal(status, 1)
  assert.deepEqual(stdout.match(/not ok \d+ - (one|two)|error: 'halfway'/g), [
    'not ok 1 - one',
    "error: 'halfway'",
    'not ok 2 - two',
    "error: 'halfway'",
  ])
  assert.match(stdout, /# fail 2\n/)
})

test('runs a test that is declared after others have ended', async context => {
  const { status, stdout } = await runFile(
    context,
    `test('one', () => {})
    await new Promise(done => setTimeout(done, 200))
    test('two', () => {})`,
  )
  assert.equal(status, 0)
  assert.match(stdout, /# pass 2\n/)
})
