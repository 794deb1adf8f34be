import { existsSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { searchPath } from '../src/core/config/config.ts'

/** The headless shell is Chromium without windows, which would take a third of a test's CPU time. */
const names: Record<string, string[]> = { chromium: ['chromium-headless-shell', 'chromium'] }

/** The path of a program in the search path, or of one that is given by its path. */
export function findProgram(program: string): string | undefined {
  const paths = (names[program] ?? [program]).flatMap(name =>
    isAbsolute(name) ? [name] : searchPath.split(delimiter).map(folder => join(folder, name)),
  )
  return paths.find(path => existsSync(path))
}

export const isInstalled = (program: string): boolean => findProgram(program) !== undefined

/** Programs that only root can start. */
const ofRoot = ['postfix', 'exim4']

function reasonWithout(program: string): string | null {
  if (!isInstalled(program)) return `${program} is not installed`
  return ofRoot.includes(program) && process.getuid?.() !== 0 ? `only root can start ${program}` : null
}

/** Options of a test that needs this program. Without it, the test is skipped, but in CI its file fails. */
export function needs(program: string): { skip: string | false } {
  const reason = reasonWithout(program)
  if (reason === null) return { skip: false }
  if (process.env.DESKBELL_CI) throw new Error(`${reason}, and CI skips no test`)
  return { skip: reason }
}
