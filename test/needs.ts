import { existsSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { searchPath } from '../src/core/config.ts'

/** The headless shell is Chromium without its windows, which take a third of the processor time of a test. */
const names: Record<string, string[]> = { chromium: ['chromium-headless-shell', 'chromium'] }

/** The path of a program that stands in the search path, or has a path of its own. */
export function findProgram(program: string): string | undefined {
  const paths = (names[program] ?? [program]).flatMap(name =>
    isAbsolute(name) ? [name] : searchPath.split(delimiter).map(folder => join(folder, name)),
  )
  return paths.find(path => existsSync(path))
}

export const isInstalled = (program: string): boolean => findProgram(program) !== undefined

/** Options of a test that starts this program, of the search path or a path of its own: without it the test is left out, but in CI its file fails. */
export function needs(program: string): { skip: string | false } {
  if (isInstalled(program)) return { skip: false }
  const reason = `${program} is not installed`
  if (process.env.DESKBELL_CI) throw new Error(`${reason}, and CI leaves no test out`)
  return { skip: reason }
}
