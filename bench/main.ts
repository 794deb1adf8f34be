import { globSync } from 'node:fs'
import { dirname } from 'node:path'
import { stopAll } from './children.ts'
import { results, startRecording } from './results.ts'

/**
 * `bin/bench NAME [options]`: a bench is a folder whose main.ts exports a function with the same name. It returns the exit
 * status: 1 if a promise is broken, 2 if the bench could not measure it.
 */
type Bench = (args: string[]) => Promise<number>

const folders = globSync('*/main.ts', { cwd: import.meta.dirname }).map(dirname)
const names = [...folders.filter(name => name !== 'seed'), 'results'].sort()

async function find(name: string): Promise<Bench> {
  if (name === 'results') return results
  const { [name]: bench } = (await import(`./${name}/main.ts`)) as Record<string, Bench>
  return bench!
}

const [name = '', ...args] = startRecording(process.argv.slice(2))

async function run(): Promise<number> {
  try {
    return await (await find(name))(args)
  } finally {
    await stopAll()
  }
}

/** Exits explicitly, because open handles would keep the process alive. */
async function giveUp(error: unknown): Promise<never> {
  console.error(error)
  await stopAll()
  process.exit(2)
}

process.on('uncaughtException', giveUp)

if (names.includes(name))
  run().then(status => {
    process.exitCode = status
  }, giveUp)
else {
  process.stderr.write(`bin/bench ${names.join(' | ')} [options]; bench/README.md says what each shows\n`)
  process.exitCode = 2
}
