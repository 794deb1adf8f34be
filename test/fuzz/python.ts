import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../src/core/config.ts'
import { sha256 } from '../../src/core/crypto.ts'

const wanted = join(root, 'test/fuzz/requirements.txt')

function mustRun(command: string, args: string[]): void {
  const { status, error } = spawnSync(command, args, { stdio: ['ignore', 2, 2] })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status ?? error?.message}`)
}

/** Makes a Python environment with exactly the packages of requirements.txt, once; answers its program. */
export function installSchemathesis(): string {
  const stamp = sha256(readFileSync(wanted)).toString('hex').slice(0, 12)
  const folder = join(root, 'node_modules/.cache', `fuzz-${stamp}`)
  const isDone = join(folder, 'done')
  if (!existsSync(isDone)) {
    rmSync(folder, { recursive: true, force: true })
    mustRun('python3', ['-m', 'venv', folder])
    const quiet = ['--quiet', '--disable-pip-version-check', '--no-input']
    mustRun(join(folder, 'bin/python'), ['-m', 'pip', 'install', ...quiet, '--requirement', wanted])
    writeFileSync(isDone, '')
  }
  return join(folder, 'bin/schemathesis')
}
