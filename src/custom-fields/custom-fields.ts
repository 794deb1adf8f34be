export { addField, changeField, pageFields, removeField } from './fields.ts'
export { listFields } from './queries.ts'
export { checkFields, createFaultFinder, textsOf } from './values.ts'
