import { recordAudit } from '../audit/audit.ts'
import { requireQuota } from '../core/async/quota.ts'
import type { Sql } from '../core/db/db.ts'
import type { Caller } from '../core/endpoint.ts'
import { ApiError, refuse } from '../core/errors.ts'
import { pick } from '../core/fields.ts'
import { isId, newId } from '../core/ids.ts'
import { listAll } from '../core/paging/listing.ts'
import type { Listed } from '../core/paging/paging.ts'
import { type DbOrTx, type Tx, transact } from '../events/transaction.ts'
import { countFields, deleteField, insertField, listFieldsByIds, lockField, updateField } from './queries.ts'
import type { CustomField, FieldChange, FieldQuery, NewField } from './schema.ts'

/** Custom fields: what a project stores about its tickets and contacts beyond the standard fields. */

/** The same as the maximum number of keys in a record's `custom_fields`. */
const maxFields = 100

const noteField = (
  tx: Tx,
  { actor }: Caller,
  action: 'created' | 'changed' | 'deleted',
  field: CustomField,
  detail = {},
) =>
  recordAudit(
    tx,
    tx.projectId,
    actor,
    `custom_field.${action}`,
    { type: 'custom_field', id: field.id, name: field.label },
    detail,
  )

function requireOptions(type: CustomField['type'], options: string[]): void {
  if (type === 'select' && !options.length) throw refuse('options', 'required')
}

export function addField(store: DbOrTx, caller: Caller, input: NewField): Promise<CustomField> {
  const { options = [], is_required = false, position = null, ...rest } = input
  requireOptions(input.type, options)
  return transact(store, caller.project.id, async tx => {
    await requireQuota(
      tx,
      { of: ['custom fields', tx.projectId, input.record], max: maxFields, field: 'key' },
      () => countFields(tx, tx.projectId, input.record),
    )
    const field = { id: newId(), ...rest, options, is_required, position }
    const made = await insertField(tx, tx.projectId, field)
    if (!made) throw new ApiError('CUSTOM_FIELD_EXISTS')
    await noteField(tx, caller, 'created', made, { record: made.record, key: made.key })
    return made
  })
}

async function getLocked(tx: Tx, id: string): Promise<CustomField> {
  const field = isId(id) ? await lockField(tx, tx.projectId, id) : null
  if (!field) throw new ApiError('CUSTOM_FIELD_NOT_FOUND')
  return field
}

/** Existing values in records stay as they are. */
export function changeField(
  store: DbOrTx,
  caller: Caller,
  id: string,
  change: FieldChange,
): Promise<CustomField> {
  const fields = pick(change, ['label', 'options', 'is_required', 'position'])
  return transact(store, caller.project.id, async tx => {
    const old = await getLocked(tx, id)
    requireOptions(old.type, fields.options ?? old.options)
    if (!Object.keys(fields).length) return old
    await updateField(tx, tx.projectId, id, fields)
    await noteField(tx, caller, 'changed', old, fields)
    return { ...old, ...fields }
  })
}

export function removeField(store: DbOrTx, caller: Caller, id: string): Promise<void> {
  return transact(store, caller.project.id, async tx => {
    const old = await getLocked(tx, id)
    await deleteField(tx, tx.projectId, id)
    await noteField(tx, caller, 'deleted', old, { record: old.record, key: old.key })
  })
}

/** A page of the fields for integrations, oldest first. */
export const pageFields = (sql: Sql, projectId: string, query: FieldQuery): Promise<Listed<CustomField>> =>
  listAll(
    sql,
    projectId,
    'custom_fields',
    ids => listFieldsByIds(sql, projectId, ids),
    query,
    query.record && sql`x.record = ${query.record}`,
  )
