import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { textMail } from '../../test/mail/compose.ts'
import { until } from '../../test/until.ts'

/** A program that parses an email with a parser that never ends, and prints the process ID of its worker. */
const program = `
  import { readFileSync } from 'node:fs'
  import { makeMailReader } from ${JSON.stringify(new URL('./read.ts', import.meta.url).href)}
  const readers = ${JSON.stringify(new URL('../../test/mail/poisoned-readers.ts', import.meta.url).href)}
  const [path, folder] = process.argv.slice(1)
  makeMailReader({ readers, timeouts: { mailsplit: 600_000, rough: 1, 'postal-mime': 1 } })
    .read(path, folder, new AbortController().signal)
  const children = () => readFileSync('/proc/self/task/' + process.pid + '/children', 'utf8').trim()
  const asking = setInterval(() => {
    if (!children()) return
    clearInterval(asking)
    console.log(children())
  }, 10)
`

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** The name that the process has given itself. */
const titleOf = (pid: number): string => readFileSync(`/proc/${pid}/comm`, 'utf8').trim()

function makeFolder(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'worker-'))
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('a worker that an email blocks ends when its server is killed', async context => {
  const folder = makeFolder(context)
  const path = join(folder, 'mail.eml')
  writeFileSync(path, textMail(['X-Poison: hangs'], 'Hello.'))
  const server = spawn(process.execPath, ['--input-type=module', '-e', program, path, folder])
  context.after(() => void server.kill('SIGKILL'))
  const [printed] = (await once(server.stdout, 'data')) as [Buffer]
  const worker = Number(printed)
  await until(() => titleOf(worker) === 'hangs')
  server.kill('SIGKILL')
  await until(() => !isRunning(worker))
})

/** A program that parses an email while it can open no more files, and again after it has closed them. */
const crowded = `
  import { closeSync, openSync } from 'node:fs'
  import { makeMailReader } from ${JSON.stringify(new URL('./read.ts', import.meta.url).href)}
  const [path, folder] = process.argv.slice(1)
  const reader = makeMailReader()
  const read = () => reader.read(path, folder, new AbortController().signal).then(mail => mail.reader, error => error.code)
  const open = []
  try {
    for (;;) open.push(openSync('/dev/null'))
  } catch {}
  // One file is needed for reading the size of the email.
  closeSync(open.pop())
  const first = await read()
  for (const file of open) closeSync(file)
  console.log(first, await read())
  await reader.close()
`

test('an email is parsed later if no process can be started, and the server continues', async context => {
  const folder = makeFolder(context)
  const path = join(folder, 'mail.eml')
  writeFileSync(path, textMail([], 'Hello.'))
  const node = [process.execPath, '--input-type=module', '-e', crowded, path, folder]
  const server = spawn('sh', ['-c', 'ulimit -n 64; exec "$@"', 'sh', ...node])
  context.after(() => void server.kill('SIGKILL'))
  assert.equal(await text(server.stdout), 'EMFILE mailsplit\n')
})
