import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../src/core/config/config.ts'

export interface Source {
  /** Relative to the repository, with slashes. */
  path: string
  text: string
}

export const readSources = (...patterns: string[]): Source[] =>
  globSync(patterns, { cwd: root })
    .map(path => path.replaceAll('\\', '/'))
    .sort()
    .map(path => ({ path, text: readFileSync(join(root, path), 'utf8') }))

export const isTest = ({ path }: Source): boolean => path.endsWith('.test.ts')

/** The server's code without tests. */
export const productCode = readSources('src/**/*.ts').filter(source => !isTest(source))
