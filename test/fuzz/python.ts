import { join } from 'node:path'
import { root } from '../../src/core/config/config.ts'
import { installPython } from '../python.ts'

/** Installs Schemathesis by requirements.txt, and returns the path of its program. */
export async function installSchemathesis(): Promise<string> {
  const requirements = join(root, 'test/fuzz/requirements.txt')
  const programs = await installPython(requirements, join(root, 'node_modules/.cache/fuzz'))
  return join(programs, 'schemathesis')
}
