import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '../src/core/crypto.ts'
import { mustRun } from './must-run.ts'

/** Creates a Python environment with exactly these packages, once, and returns the folder of its programs. */
export async function installPython(requirements: string, name: string): Promise<string> {
  const stamp = sha256(readFileSync(requirements)).toString('hex').slice(0, 12)
  const folder = `${name}-${stamp}`
  const isDone = join(folder, 'done')
  if (!existsSync(isDone)) {
    rmSync(folder, { recursive: true, force: true })
    await mustRun('python3', ['-m', 'venv', folder])
    const quiet = ['--quiet', '--disable-pip-version-check', '--no-input']
    await mustRun(join(folder, 'bin/python'), [
      ...['-m', 'pip', 'install', ...quiet, '--requirement', requirements],
    ])
    writeFileSync(isDone, '')
  }
  return join(folder, 'bin')
}
