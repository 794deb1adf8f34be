import { join } from 'node:path'
import { root } from '../../src/core/config.ts'
import { type Program, run } from '../run/program.ts'
import type { TestServer } from '../server.ts'

/** The programs of docs/examples, started as their READMEs say. */

export const exampleFile = (path: string): string => join(root, 'docs/examples', path)

interface Context {
  after(run: () => void): void
}

/** Where a program finds the API and its key. */
export interface Access {
  DESKBELL_URL: string
  DESKBELL_API_KEY: string
}

export const accessOf = ({ url, acme }: TestServer): Access => ({
  DESKBELL_URL: new URL(url).origin,
  DESKBELL_API_KEY: acme.key.key,
})

/** A program that must not outlive the test. */
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
