import { productCode, readSources } from './sources.ts'

export interface Statement {
  path: string
  text: string
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

const opening = /\b(?:sql|db|tx|own)(?:<[^`;]*?>)?\s*`/g

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

function statementsIn({ path, text }: { path: string; text: string }): Statement[] {
  return [...text.matchAll(opening)].flatMap(match => {
    const start = match.index + match[0].length
    const statement = text.slice(start, endOf(text, start)).replaceAll(/\s+/g, ' ').trim()
    // In a form that the lists of exceptions can quote.
    const plain = statement.replaceAll('${', '{')
    if (!/^(with|select|insert|update|delete|\()/i.test(statement)) return []
    const names = [...statement.matchAll(used)].map(([, name]) => name!)
    return [{ path, text: plain, tables: names.filter(name => tablesOfProjects.has(name)) }]
  })
}

/** Every statement in the product code that uses rows of projects. */
export const statements: Statement[] = productCode
  .flatMap(statementsIn)
  .filter(statement => statement.tables.length > 0)
