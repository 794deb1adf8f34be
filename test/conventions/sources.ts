import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../src/core/config.ts'

export interface Source {
  /** Below Deskbell's own folder, with slashes. */
  path: string
  text: string
}

export const readSources = (...patterns: string[]): Source[] =>
  globSync(patterns, { cwd: root })
    .map(path => path.replaceAll('\\', '/'))
    .sort()
    .map(path => ({ path, text: readFileSync(join(root, path), 'utf8') }))

export const isTest = ({ path }: Source): boolean => path.endsWith('.test.ts')

/** What the server is made of. */
export const productCode = readSources('src/**/*.ts').filter(source => !isTest(source))
