import { join } from 'node:path'
import { root } from '../../src/core/config/config.ts'
import { type Program, run } from '../run/program.ts'
import type { TestServer } from '../server.ts'

/** Runs the programs of docs/examples as their READMEs describe. */

export const exampleFile = (path: string): string => join(root, 'docs/examples', path)

interface Context {
  after(run: () => void): void
}

/** The environment that gives a program its access to the API. */
export interface Access {
  DESKBELL_URL: string
  DESKBELL_API_KEY: string
}

export const accessOf = ({ url, acme }: TestServer): Access => ({
  DESKBELL_URL: new URL(url).origin,
  DESKBELL_API_KEY: acme.key.key,
})

/** Starts a program, which is killed when the test ends. */
export function startExample(
  context: Context,
  command: string,
  args: string[],
  settings: Record<string, string>,
): Program {
  const program = run(command, args, { HOME: process.env.HOME ?? '', ...settings })
  context.after(() => void program.child.kill('SIGKILL'))
  return program
}
