import type { Sql } from '../core/db/db.ts'
import { keysOf } from '../core/objects.ts'
import { listFields } from '../custom-fields/custom-fields.ts'
import {
  type ConditionKind,
  type ConditionOperator,
  conditionOperators,
  conditionTable,
  kindOfType,
  operatorsOf,
  printCustomName,
} from './fields.ts'
import type { ConditionField } from './schema.ts'

const operatorNames = (kind: ConditionKind): ConditionOperator[] =>
  conditionOperators.filter(op => Object.hasOwn(operatorsOf[kind], op))

const plainFields: ConditionField[] = keysOf(conditionTable).map(field => {
  const { kind, values } = conditionTable[field]
  return {
    field,
    kind,
    operators: operatorNames(kind),
    values: values ? [...values] : null,
    label: null,
  }
})

/** The fields that conditions of a project can name, with their operators. */
export async function listConditionFields(sql: Sql, projectId: string): Promise<ConditionField[]> {
  const custom = (await listFields(sql, projectId)).flatMap(({ record, key, type, label, options }) => {
    if (record === 'organization') return []
    const kind = kindOfType[type]
    return {
      field: printCustomName(record, key),
      kind,
      operators: operatorNames(kind),
      values: type === 'select' ? options : null,
      label,
    }
  })
  return [...plainFields, ...custom]
}
