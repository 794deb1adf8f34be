import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { divideGroups, type RecordedStatement, type Recording, readRecording } from '../record-statements.ts'

function addTo(all: Map<string, RecordedStatement>, statement: RecordedStatement): void {
  const key = `${statement.origin} ${statement.types} ${statement.text}`
  const known = all.get(key)
  // Parameters are the same if they were equal in all processes that ran the statement.
  if (known) known.equals = divideGroups(known.equals, statement.equals)
  else all.set(key, { ...statement })
}

/** What this process and those that have written to the folder have run. */
export function readRecordings(folder: string): Recording {
  const names = readdirSync(folder).filter(name => name.endsWith('.json'))
  const files = names.map(name => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Recording)
  const recordings = [...files, readRecording()]
  const all = new Map<string, RecordedStatement>()
  for (const statement of recordings.flatMap(({ statements }) => statements)) addTo(all, statement)
  const templates = new Set(recordings.flatMap(recording => recording.templates))
  return { statements: [...all.values()], templates: [...templates] }
}
