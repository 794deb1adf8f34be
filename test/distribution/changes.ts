import type { RecordedStatement } from '../record-statements.ts'
import { readParameter } from './conditions.ts'
import { insertedAt } from './inserted.ts'
import type { Keys } from './judge.ts'

/** A statement from which the project's parameter is taken in one place. */
export interface Change {
  words: string
  statement: RecordedStatement
}

const otherProject = "'00000000-0000-0000-0000-000000000000'::uuid"

const uuidType = 2950

/** The statement with another text between two positions. Its parameters keep their numbers, so each needs a type. */
function replaceAt(
  statement: RecordedStatement,
  from: number,
  to: number,
  text: string,
  parameter: number,
): Change {
  const types = statement.types.map((type, index) => (index === parameter - 1 ? type || uuidType : type))
  const before = statement.text.slice(from, to)
  return {
    words: `${before} → ${text}`,
    statement: { ...statement, types, text: statement.text.slice(0, from) + text + statement.text.slice(to) },
  }
}

const condition = /(?:"?\w+"?\.)?"?(?:project_id|id)"? = \$(\d+)(?:::uuid)?(?!\d)/g
const named = /\$(\d+)(?:::uuid)? as project_id\b/g
const argument = /\b(?:tickets_with_words|newest_event)\(\$(\d+)/g

type IsProject = (parameter: number) => boolean

/** Removes one condition on the project at a time. */
function withoutCondition(statement: RecordedStatement, isProject: IsProject): Change[] {
  return [...statement.text.matchAll(condition)]
    .filter(match => isProject(Number(match[1])))
    .map(match => replaceAt(statement, match.index, match.index + match[0].length, 'true', Number(match[1])))
}

/** Writes or asks for another project in one place at a time. */
function withOtherProject(statement: RecordedStatement, isProject: IsProject): Change[] {
  return [named, argument].flatMap(pattern =>
    [...statement.text.matchAll(pattern)]
      .filter(match => isProject(Number(match[1])))
      .map(match => {
        const from = match.index + match[0].indexOf('$')
        return replaceAt(statement, from, from + match[1]!.length + 1, otherProject, Number(match[1]))
      }),
  )
}

function withOtherInsert(statement: RecordedStatement, keys: Keys, isProject: IsProject): Change[] {
  return [...keys].flatMap(([table, { column }]) =>
    insertedAt(statement.text, table, column).flatMap(({ text, at }) => {
      const parameter = readParameter(text)
      if (parameter === null || !isProject(parameter)) return []
      return [replaceAt(statement, at, at + text.length, otherProject, parameter)]
    }),
  )
}

/** Every change of a statement that the judge of plans should notice. */
export const listChanges = (statement: RecordedStatement, keys: Keys, isProject: IsProject): Change[] => [
  ...withoutCondition(statement, isProject),
  ...withOtherProject(statement, isProject),
  ...withOtherInsert(statement, keys, isProject),
]
