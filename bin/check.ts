import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { root } from '../src/core/config/config.ts'

/** `bin/check` runs all checks of a change. `bin/check types lint` runs some of them, `--no-test` all except the tests. */

const tool = (name: string): string => join(root, 'node_modules/.bin', name)

const checks: Record<string, string[][]> = {
  types: ['.', 'web', 'web/widget']
    .map(folder => join(root, folder))
    .map(project => [tool('tsc'), '--project', project]),
  lint: [[tool('biome'), 'ci', '--colors=off']],
  docs: [[join(root, 'src/docs/main.ts'), '--check']],
  tests: [[join(root, 'test/runner.ts')]],
}

function chooseChecks(given: string[]): string[] {
  const known = Object.keys(checks)
  const unknown = given.filter(word => word !== '--no-test' && !known.includes(word))
  if (unknown.length) {
    process.stderr.write(`Unknown check ${unknown.join(', ')}. Use ${known.join(', ')} or --no-test\n`)
    process.exit(2)
  }
  const named = given.filter(word => known.includes(word))
  return (named.length ? named : known).filter(name => name !== 'tests' || !given.includes('--no-test'))
}

/** Runs a check and shows its output. It has passed if its exit status is 0. */
async function passes(name: string): Promise<boolean> {
  let isPassed = true
  for (const command of checks[name]!) {
    const child = spawn(process.execPath, command, { cwd: root, stdio: 'inherit' })
    const [status] = await once(child, 'exit')
    isPassed &&= status === 0
  }
  return isPassed
}

const seconds = (since: number): string => `${((Date.now() - since) / 1000).toFixed(1)} s`

const chosen = chooseChecks(process.argv.slice(2))
const failed: string[] = []
const begun = Date.now()
for (const name of chosen) {
  const at = Date.now()
  process.stdout.write(`— ${name} …\n`)
  const isPassed = await passes(name)
  if (!isPassed) failed.push(name)
  process.stdout.write(`— ${name}: ${isPassed ? 'passed' : 'FAILED'} in ${seconds(at)}\n`)
}
process.stdout.write(
  failed.length
    ? `\nCHECK FAILED: ${failed.join(', ')} (of ${chosen.join(', ')}, ${seconds(begun)})\n`
    : `\nCHECK PASSED: ${chosen.join(', ')} (${seconds(begun)})\n`,
)
process.exitCode = failed.length ? 1 : 0
