import { parseSync } from 'vite'
import type { Source } from './sources.ts'

/** The strings of a source file, with what surrounds them, from its syntax tree. */

export interface Node {
  type: string
  start: number
  end: number
  [part: string]: unknown
}

export interface Literal {
  /** `…` for each value in a template. */
  text: string
  isJsxText: boolean
  /** From the root of the file to the parent of the literal. */
  ancestors: Node[]
  node: Node
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

function textOf({ type, value, quasis }: Node): string | null {
  if (type === 'JSXText' || (type === 'Literal' && typeof value === 'string')) return value as string
  if (type !== 'TemplateLiteral') return null
  return (quasis as { value: { cooked: string | null } }[]).map(({ value }) => value.cooked ?? '').join('…')
}

/** The source of a node's name: `log.warn` of a call, `aria-label` of an attribute. */
export function nameOf(text: string, { type, callee, key, name, tag, id }: Node): string {
  const named = { CallExpression: callee, NewExpression: callee, Property: key, JSXAttribute: name }[type]
  const found = named ?? { TaggedTemplateExpression: tag, VariableDeclarator: id }[type]
  return isNode(found) ? text.slice(found.start, found.end).replace(/^['"]|['"]$/g, '') : ''
}

function walk(node: Node, ancestors: Node[], visit: (node: Node, ancestors: Node[]) => void): void {
  visit(node, ancestors)
  const inner = [...ancestors, node]
  for (const part of Object.values(node))
    for (const one of Array.isArray(part) ? part : [part]) if (isNode(one)) walk(one, inner, visit)
}

const isOfModule = ({ type }: Node): boolean => /^(?:Import|ExportAll|ExportNamed)/.test(type)

export function listLiterals({ path, text: source }: Source): Literal[] {
  const literals: Literal[] = []
  walk(parseSync(path, source).program as never, [], (node, ancestors) => {
    const text = textOf(node)
    if (text === null || isOfModule(ancestors.at(-1)!)) return
    literals.push({ text, isJsxText: node.type === 'JSXText', ancestors, node })
  })
  return literals
}
