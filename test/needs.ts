import { existsSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { searchPath } from '../src/core/config.ts'

const isInstalled = (program: string): boolean =>
  isAbsolute(program)
    ? existsSync(program)
    : searchPath.split(delimiter).some(folder => existsSync(join(folder, program)))

/** Options of a test that starts this program, of the search path or a path of its own: without it the test is left out, but in CI its file fails. */
export function needs(program: string): { skip: string | false } {
  if (isInstalled(program)) return { skip: false }
  const reason = `${program} is not installed`
  if (process.env.DESKBELL_CI) throw new Error(`${reason}, and CI leaves no test out`)
  return { skip: reason }
}
