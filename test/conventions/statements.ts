import { productCode, readSources } from './sources.ts'

/** A template with SQL in the product code: a statement, or a part of statements. */
export interface Template {
  path: string
  /** Where it is, as a stack trace says it: `src/tickets/queries.ts:12:7`. */
  origin: string
  /** With one space for any white space, and `{x}` for `${x}`, so that it can be quoted. */
  text: string
}

export interface Statement extends Template {
  /** The tables of projects that it reads or writes. */
  tables: string[]
}

const [schema] = readSources('migrations/schema.sql')

/** The name and the definition lines of every table. */
export const tables: { name: string; lines: string[] }[] = [
  ...schema!.text.matchAll(/^create table (\w+) \(\n([\s\S]*?)\n\)/gm),
].map(([, name, inside]) => ({ name: name!, lines: inside!.split(',\n').map(line => line.trim()) }))

/** The tables whose rows belong to a project. */
export const tablesOfProjects = new Set(
  tables.filter(({ lines }) => lines.some(line => line.startsWith('project_id '))).map(({ name }) => name),
)

/** Unique indexes that are not constraints, with table and columns. */
export const uniqueIndexes = [
  ...schema!.text.matchAll(/^CREATE UNIQUE INDEX (\w+) ON public\.(\w+) USING btree \(([^\n]*)/gm),
].map(([, name, table, columns]) => ({ name: name!, table: table!, columns: columns! }))

const opening = /\b(?:sql|db|tx|own|store)(?:<[^`]*?>)?\s*`/g

/** The end of the template literal that starts here, including its `${…}` parts. */
function endOf(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (depth === 0 && text[at] === '`') return at
    else if (text.startsWith('${', at)) depth += text[at++] ? 1 : 0
    else if (depth && text[at] === '{') depth++
    else if (depth && text[at] === '}') depth--
  }
  return text.length
}

const used = /\b(?:from|join|into|update|using)\s+(?:only\s+)?(\w+)/gi

function placeOf(text: string, index: number): string {
  const lines = text.slice(0, index).split('\n')
  return `${lines.length}:${lines.at(-1)!.length + 1}`
}

function templatesIn({ path, text }: { path: string; text: string }): Template[] {
  return [...text.matchAll(opening)].map(match => {
    const start = match.index + match[0].length
    const inside = text.slice(start, endOf(text, start)).replaceAll(/\s+/g, ' ').trim()
    return { path, origin: `${path}:${placeOf(text, start - 1)}`, text: inside.replaceAll('${', '{') }
  })
}

export const templates: Template[] = productCode.flatMap(templatesIn)

/** Every statement in the product code that uses rows of projects. */
export const statements: Statement[] = templates
  .filter(({ text }) => /^(with|select|insert|update|delete|\()/i.test(text))
  .map(template => {
    const names = [...template.text.matchAll(used)].map(([, name]) => name!)
    return { ...template, tables: names.filter(name => tablesOfProjects.has(name)) }
  })
  .filter(statement => statement.tables.length > 0)
