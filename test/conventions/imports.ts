import { posix } from 'node:path'
import type { Source } from './sources.ts'

/** The imports between files of a program, and the rules for their direction. */

export interface Import {
  from: string
  to: string
  /** Whether the imported file is loaded with the importing one: not by `import type` or `import()`. */
  isLoaded: boolean
}

const pattern =
  /\b(import|export) (type )?[^;'()]*?\bfrom '(\.[^']+)'|\bimport\('(\.[^']+)'\)|^import '(\.[^']+)'/gm

/** Imports of files by relative paths. The paths are relative to `base`, such as `src/`. */
export const readImports = (sources: Source[], base: string): Import[] =>
  sources.flatMap(({ path, text }) => {
    const from = path.slice(base.length)
    return [...text.matchAll(pattern)].map(([, , type, named, later, bare]) => ({
      from,
      to: posix.join(posix.dirname(from), named ?? later ?? bare!),
      isLoaded: !type && !later,
    }))
  })

/** The rank of each folder. Files elsewhere have the highest rank. */
export type Ranks = Record<string, number>

/** The folder of `ranks` that contains the file; '' for a file elsewhere. */
export const folderOf = (ranks: Ranks, path: string): string =>
  Object.keys(ranks).find(folder => path.startsWith(`${folder}/`)) ?? ''

const rankOf = (ranks: Ranks, path: string): number =>
  ranks[folderOf(ranks, path)] ?? Number.POSITIVE_INFINITY

/** Why an import is not allowed; null if it is. A folder may import from lower ranks only. */
export function complainUpward(ranks: Ranks, { from, to }: Import): string | null {
  if (folderOf(ranks, from) === folderOf(ranks, to)) return null
  return rankOf(ranks, to) < rankOf(ranks, from)
    ? null
    : `${from} may not import ${to}: a folder may import only from lower ranks`
}

type Arrow = Pick<Import, 'from' | 'to'>

/** The imports that are in a circle or connect two circles. */
export function listCircular(arrows: Arrow[]): string[] {
  let left = arrows.filter(({ from, to }) => from !== to)
  for (let before = -1; left.length !== before; ) {
    before = left.length
    const importing = new Set(left.map(({ from }) => from))
    const imported = new Set(left.map(({ to }) => to))
    left = left.filter(({ from, to }) => importing.has(to) && imported.has(from))
  }
  return [...new Set(left.map(({ from, to }) => `${from} imports ${to}`))]
}
