import type { TSchema } from 'typebox'
import * as conditions from '../conditions/schema.ts'

const { properties: field } = conditions.conditionField

/** The names of the schemas about conditions. A group contains conditions of the next level. */
export const conditionNames: Record<string, TSchema> = {
  Condition: conditions.condition,
  ConditionLevel2: conditions.conditionLevel2,
  ConditionLevel3: conditions.conditionLevel3,
  ConditionLevel4: conditions.conditionLevel4,
  ConditionLeaf: conditions.conditionLeaf,
  ConditionField: conditions.conditionField,
  ConditionKind: field.kind,
  ConditionOperator: field.operators.items,
  ConditionProblem: conditions.conditionProblem,
}
