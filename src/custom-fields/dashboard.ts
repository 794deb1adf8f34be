import { type Endpoint, endpoint } from '../core/endpoint.ts'
import { addField, changeField, removeField } from './fields.ts'
import { listFields } from './queries.ts'
import { customField, customFieldList, fieldChange, newField } from './schema.ts'

const tag = 'Custom fields'

export const customFieldDashboard: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/custom-fields',
    tag,
    summary: 'List the custom fields of tickets and contacts',
    responses: { 200: customFieldList },
    errors: [],
    run: async ({ db, project }) => ({ items: await listFields(db, project.id) }),
  }),
  endpoint({
    method: 'POST',
    path: '/custom-fields',
    tag,
    summary: 'Add a custom field',
    minRole: 'admin',
    body: newField,
    responses: { 201: customField },
    errors: ['CUSTOM_FIELD_EXISTS', 'VALIDATION_ERROR'],
    run: call => addField(call.db, call, call.body),
  }),
  endpoint({
    method: 'PATCH',
    path: '/custom-fields/{field_id}',
    tag,
    summary: 'Change a custom field',
    description: 'The key and the type cannot be changed. The values in records stay.',
    minRole: 'admin',
    body: fieldChange,
    responses: { 200: customField },
    errors: ['CUSTOM_FIELD_NOT_FOUND', 'VALIDATION_ERROR'],
    run: call => changeField(call.db, call, call.params.field_id!, call.body),
  }),
  endpoint({
    method: 'DELETE',
    path: '/custom-fields/{field_id}',
    tag,
    summary: 'Delete a custom field',
    description: 'The values in records stay. They are no longer validated.',
    minRole: 'admin',
    responses: { 204: null },
    errors: ['CUSTOM_FIELD_NOT_FOUND'],
    run: call => removeField(call.db, call, call.params.field_id!),
  }),
]
