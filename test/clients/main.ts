import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { deskbell, makeFolder, startServer, stopServer } from '../run/program.ts'
import { tryGo } from './go.ts'
import { lint } from './linters.ts'
import { tryPython } from './python.ts'

/**
 * `bin/clients`: generates a Python and a Go client from docs/openapi.json, compiles them, and calls a
 * running server ten times with each. Two linters check the document. Needs Python 3.11 or newer and Go 1.26
 * or newer, and installs everything else.
 */

const undo: (() => unknown)[] = []
const context = { after: (step: () => unknown) => void undo.push(step) }
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1))
process.on('exit', () => undo.reverse().forEach(step => void step()))

const folder = makeFolder(context)
const settings = { DATA_DIR: join(folder, 'data') }

async function makeKey(name: string): Promise<string> {
  const project = await deskbell(settings, 'project', 'create', '--name', name, '--json')
  const { id } = JSON.parse(project.stdout)
  const key = await deskbell(settings, 'key', 'create', '--project', id, '--name', name, '--json')
  return JSON.parse(key.stdout).key
}

function makePlace(name: string): string {
  const place = join(folder, name)
  mkdirSync(place)
  return place
}

let isPassed = true

async function report(name: string, work: () => Promise<void>): Promise<void> {
  const begun = Date.now()
  const failure = await work().then(
    () => null,
    (error: Error) => error.message,
  )
  isPassed &&= failure === null
  const seconds = ((Date.now() - begun) / 1000).toFixed(1)
  process.stdout.write(`— ${name}: ${failure === null ? 'passed' : `FAILED\n${failure}\n`} in ${seconds} s\n`)
}

const server = await startServer(context, settings)
const keys = { python: await makeKey('Python'), go: await makeKey('Go') }
await Promise.all([
  report('linters', lint),
  report('Python client', () => tryPython(makePlace('python'), server.url, keys.python)),
  report('Go client', () => tryGo(makePlace('go'), server.url, keys.go)),
])
await stopServer(server)
process.stdout.write(server.stderr)
process.exit(isPassed ? 0 : 1)
