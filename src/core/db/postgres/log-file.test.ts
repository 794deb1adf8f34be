import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createLog } from '../../telemetry/log.ts'
import { startPostgres } from '../postgres.ts'
import { logFileOf, readSince, rotateOpen, sizeOfLog } from './log-file.ts'

const large = `${'x'.repeat(99)}\n`.repeat(110_000)

function makeFolder(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'deskbell-log-'))
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Opens the log as Postgres does: once, for as long as it runs. */
function openLog(context: TestContext, file: string): (text: string) => void {
  const log = openSync(file, 'a', 0o600)
  context.after(() => closeSync(log))
  return text => void writeSync(log, text)
}

test('rotates a log that is too large while Postgres writes to it, and loses no line', context => {
  const file = logFileOf(makeFolder(context))
  const write = openLog(context, file)
  write(`the first line\n${large}`)
  const size = sizeOfLog(file)
  write('the last line before\n')
  rotateOpen(file)
  write('the first line after\n')
  assert.equal(readFileSync(file, 'utf8'), 'the first line after\n')
  assert.equal(readFileSync(`${file}.1`, 'utf8'), `the first line\n${large}the last line before\n`)
  assert.equal(readSince(file, size), 'the last line before\nthe first line after\n')
})

test('leaves a small log unchanged', context => {
  const file = logFileOf(makeFolder(context))
  openLog(context, file)('a line\n')
  rotateOpen(file)
  assert.equal(readSince(file, 2), 'line\n')
})

test('checks the log of a running embedded Postgres each minute', async context => {
  const folder = makeFolder(context)
  spawnSync('cp', ['-a', join(process.env.DESKBELL_TEST_INSTALLATION!, 'postgres'), folder])
  context.mock.timers.enable({ apis: ['setInterval'] })
  const { stop } = await startPostgres(folder, createLog('silent'))
  context.after(() => stop())
  const file = logFileOf(folder)
  const size = sizeOfLog(file)
  openLog(context, file)(large)
  context.mock.timers.tick(60_000)
  assert.equal(sizeOfLog(file), 0)
  assert.equal(sizeOfLog(`${file}.1`), size + large.length)
})
