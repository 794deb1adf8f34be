export { parseConditionText } from './check.ts'
export { getCondition, isCostlyCondition, readConditionContext } from './context.ts'
export { evaluateCondition, type TicketFacts } from './evaluate.ts'
export type { ConditionKind, PlainField } from './fields.ts'
export { separatorPattern } from './folded.ts'
export { listConditionFields } from './list-fields.ts'
export {
  type Comparison,
  type ConditionContext,
  type FieldName,
  findProblems,
  resolveCondition,
  type Test,
  type TextPattern,
} from './resolve.ts'
