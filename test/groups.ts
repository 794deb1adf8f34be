import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from '../src/core/config.ts'

/** Which files of tests share a process: those of a domain. */

/**
 * The processes that begin first, since they take longest, and in this order: those that use a browser keep the processor
 * busy, those that start programs mostly wait, so both are under way together. A domain named twice is dealt to two processes.
 */
const longest = [
  'test/journeys',
  'test/run',
  'test/journeys',
  'test/run',
  'src/media',
  'test/run',
  'src/media',
  'test/conformance',
  'src/webhooks',
  'src/tickets',
]

/** `src/tickets` of `src/tickets/merge.test.ts`; a file that is in no folder of its own is of `src` or `test`. */
const domainOf = (file: string): string => file.split('/').slice(0, -1).slice(0, 2).join('/')

const namesOf = (files: string[]): string[] => [...new Set(files.map(domainOf))]

/** The part of a domain's files that the process at this place of the list takes. */
function dealPart(files: string[], list: string[], place: number): string[] {
  const domain = list[place]!
  const processes = list.filter(name => name === domain).length
  const which = list.slice(0, place).filter(name => name === domain).length
  return files.filter(file => domainOf(file) === domain).filter((_, index) => index % processes === which)
}

/** The files of each process, those first that take longest. */
function groupFiles(files: string[]): { name: string; files: string[] }[] {
  const list = [...longest, ...namesOf(files).filter(name => !longest.includes(name))]
  return list
    .map((domain, place) => ({
      // Node's runner takes files by the order of their names.
      name: `${String(place).padStart(2, '0')}-${domain.replaceAll('/', '-')}`,
      files: dealPart(files, list, place),
    }))
    .filter(group => group.files.length > 0)
}

/** Writes a file for each process, which Node's runner takes as a file of tests, and returns their paths in order. */
export function writeGroups(folder: string, files: string[]): string[] {
  mkdirSync(folder)
  const inTurn = pathToFileURL(join(root, 'test/in-turn.ts')).href
  return groupFiles(files).map(group => {
    const path = join(folder, `${group.name}.test.mjs`)
    writeFileSync(
      path,
      `import { runInTurn } from ${JSON.stringify(inTurn)}\nrunInTurn(${JSON.stringify(group.files, null, 2)})\n`,
    )
    return path
  })
}
