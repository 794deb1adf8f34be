import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from '../src/core/config/config.ts'

/** Groups the test files into processes: the files of one domain share a process. */

/**
 * The processes that start first, in this order, because they take the longest. Those with a browser keep the
 * CPU busy, and those that start programs mostly wait, so both run together. The files of a domain that is
 * listed several times are split between as many processes.
 */
const longestFirst = [
  'test/journeys',
  'test/journeys',
  'test/run',
  'src/channels',
  'test/run',
  'src/channels',
  'test/upgrade',
  'src/media',
  'test/run',
  'src/channels',
  'test/examples',
  'src/media',
  'test/conformance',
  'src/webhooks',
  'src/tickets',
]

/**
 * `src/tickets` for `src/tickets/merge.test.ts`. A file directly in `src` or `test` belongs to that folder.
 */
const domainOf = (file: string): string => file.split('/').slice(0, -1).slice(0, 2).join('/')

const namesOf = (files: string[]): string[] => [...new Set(files.map(domainOf))]

/** The part of a domain's files for the process at this position of the list. */
function dealPart(files: string[], list: string[], place: number): string[] {
  const domain = list[place]!
  const processes = list.filter(name => name === domain).length
  const which = list.slice(0, place).filter(name => name === domain).length
  return files.filter(file => domainOf(file) === domain).filter((_, index) => index % processes === which)
}

/** The files of each process, the longest-running first. */
function groupFiles(files: string[]): { name: string; files: string[] }[] {
  const list = [...longestFirst, ...namesOf(files).filter(name => !longestFirst.includes(name))]
  return list
    .map((domain, place) => ({
      // Node's test runner sorts files by name.
      name: `${String(place).padStart(2, '0')}-${domain.replaceAll('/', '-')}`,
      files: dealPart(files, list, place),
    }))
    .filter(group => group.files.length > 0)
}

/**
 * Writes one file per process, which Node's runner treats as a test file, and returns their paths in order.
 */
export function writeGroups(folder: string, files: string[]): string[] {
  mkdirSync(folder, { recursive: true })
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
