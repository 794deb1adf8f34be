import { join } from 'node:path'
import { mustRun } from '../must-run.ts'
import { installPython } from '../python.ts'
import { cache, document, own } from './places.ts'

const sources = join(own, 'python')

/** Generates the client without warnings, type-checks it with calls.py, and runs calls.py. */
export async function tryPython(folder: string, server: string, key: string): Promise<void> {
  const programs = await installPython(join(sources, 'requirements.txt'), join(cache, 'python-client'))
  const target = join(folder, 'deskbell_client')
  const config = join(sources, 'generator.yaml')
  await mustRun(join(programs, 'openapi-python-client'), [
    ...['generate', '--path', document, '--output-path', target, '--config', config],
    ...['--meta', 'none', '--fail-on-warning'],
  ])
  const env = { ...process.env, MYPYPATH: folder, PYTHONPATH: folder }
  const calls = join(sources, 'calls.py')
  const kept = ['--config-file', join(sources, 'mypy.ini'), '--cache-dir', join(programs, '../mypy')]
  await mustRun(join(programs, 'mypy'), [...kept, target, calls], { env })
  await mustRun(join(programs, 'python'), [calls, server, key], { env })
}
