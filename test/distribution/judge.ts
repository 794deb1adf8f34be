import type { RecordedStatement } from '../record-statements.ts'
import { parametersEqual, readParameter } from './conditions.ts'
import { parametersInserted } from './inserted.ts'
import { nodesOf, type PlanNode } from './plan.ts'

/** The column of each project's table that holds the project, and its position among the columns. */
export type Keys = Map<string, { column: string; position: number }>

/** Parameters that the statement compares with, or writes as, the project of a table; null if there are none. */
interface Use {
  table: string
  parameters: number[] | null
}

interface Reading {
  root: PlanNode
  keys: Keys
  text: string
}

const conditionsOf = (node: PlanNode): string[] =>
  [node['Index Cond'], node['Recheck Cond'], node.Filter].filter(condition => condition !== undefined)

function readScan(node: PlanNode, { keys }: Reading): Use {
  const table = node['Relation Name']!
  const { column } = keys.get(table)!
  const parameters = conditionsOf(node).flatMap(condition => parametersEqual(condition, column))
  return { table, parameters: parameters.length ? parameters : null }
}

/** The nodes whose results a scan of a sub-select or CTE returns. */
function sourcesOf(scan: PlanNode, { root }: Reading): PlanNode[] {
  if (scan['Node Type'] === 'Subquery Scan') return scan.Plans ?? []
  const name = scan['CTE Name']
  return name === undefined ? [] : nodesOf(root).filter(node => node['Subplan Name'] === `CTE ${name}`)
}

/** Whether the value is the project of rows of a table, whose scan is judged itself, and not a list of values. */
function comesFromTable(source: PlanNode, expression: string, reading: Reading): boolean {
  const [, alias] = /^"?([\w* ]+?)"?\.(?:project_id|id)$/.exec(expression) ?? []
  const scan = nodesOf(source).find(node => node.Alias === alias)
  if (!scan) return false
  const key = reading.keys.get(scan['Relation Name'] ?? '')
  if (key) return expression.endsWith(`.${key.column}`)
  return sourcesOf(scan, reading).some(inner =>
    (inner.Output ?? []).some(one => readParameter(one) !== null || comesFromTable(inner, one, reading)),
  )
}

function readInsert(node: PlanNode, reading: Reading): Use {
  const table = node['Relation Name']!
  const { column, position } = reading.keys.get(table)!
  const source = node.Plans!.find(plan => !plan['Subplan Name'])!
  const written = source.Output?.[position - 1] ?? ''
  const parameter = readParameter(written)
  if (parameter !== null) return { table, parameters: [parameter] }
  if (comesFromTable(source, written, reading)) return { table, parameters: [] }
  return { table, parameters: parametersInserted(reading.text, table, column) }
}

/** The functions of the database that read a project's tables. Their first argument is the project. */
const functionCall = /\b(?:tickets_with_words|newest_event)\(([^,)]+)/g

function readCalls(reading: Reading): Use[] {
  return nodesOf(reading.root).flatMap(node =>
    [...(node['Function Call'] ?? '').matchAll(functionCall)].map(([call, argument]) => {
      const parameter = readParameter(argument!)
      const isBound = parameter !== null || comesFromTable(reading.root, argument!, reading)
      return { table: `${call})`, parameters: parameter === null ? (isBound ? [] : null) : [parameter] }
    }),
  )
}

/** How the plan uses each project's table: once for each scan, insert and function. */
function readUses(reading: Reading): Use[] {
  const uses = nodesOf(reading.root)
    .filter(node => reading.keys.has(node['Relation Name'] ?? ''))
    .flatMap(node => {
      if (node['Node Type'] !== 'ModifyTable') return [readScan(node, reading)]
      return node.Operation === 'Insert' ? [readInsert(node, reading)] : []
    })
  return [...uses, ...readCalls(reading)]
}

/** The parameters that the statement uses as the project. */
export const projectParameters = ({ text }: RecordedStatement, root: PlanNode, keys: Keys): number[] =>
  readUses({ root, keys, text }).flatMap(({ parameters }) => parameters ?? [])

/** Sub-selects that the plan mentions but does not show, as of `min` in a recursive query. */
function listHidden(root: PlanNode): string[] {
  const nodes = nodesOf(root)
  const shown = new Set(nodes.map(node => node['Subplan Name']))
  const texts = nodes.flatMap(({ Plans, 'Subplan Name': _name, ...node }) =>
    Object.values(node).flat().map(String),
  )
  const mentioned = texts.flatMap(text => text.match(/\b(?:SubPlan|InitPlan) \d+/g) ?? [])
  return [...new Set(mentioned)].filter(name => !shown.has(name))
}

/** What is wrong with a statement, or nothing. */
export function judgePlan({ text, equals }: RecordedStatement, root: PlanNode, keys: Keys): string[] {
  const uses = readUses({ root, keys, text })
  const projects = new Set(uses.flatMap(({ parameters }) => parameters ?? []).map(one => equals[one - 1]!))
  const tables = new Set(uses.filter(({ parameters }) => parameters === null).map(({ table }) => table))
  return [
    ...[...tables].map(
      table => `${table} is used without ${keys.get(table)?.column ?? 'project'} = a parameter`,
    ),
    ...listHidden(root).map(name => `its plan does not show ${name}; write the sub-select in another way`),
    ...(projects.size > 1 ? [`${projects.size} parameters that differ are used as the project`] : []),
  ]
}

/** Whether the plan uses any table of a project. */
export const usesProjects = (plan: PlanNode, keys: Keys): boolean =>
  nodesOf(plan).some(node => keys.has(node['Relation Name'] ?? ''))

export const writesProjects = (plan: PlanNode, keys: Keys): boolean =>
  nodesOf(plan).some(node => node['Node Type'] === 'ModifyTable' && keys.has(node['Relation Name'] ?? ''))
