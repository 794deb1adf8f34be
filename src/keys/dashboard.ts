import { type Endpoint, endpoint } from '../core/endpoint.ts'
import { listKeys } from './api-keys.ts'
import { changeKeyAudited, createKeyAudited, deleteKeyAudited } from './audited.ts'
import { apiKey, apiKeys, createdKey, keyChange, newKey } from './schema.ts'

const tag = 'API keys'
const minRole = 'admin'

export const keyDashboard: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/keys',
    tag,
    summary: 'List the API keys',
    minRole,
    responses: { 200: apiKeys },
    errors: [],
    run: async ({ db, project }) => ({ items: [...(await listKeys(db, project.id))] }),
  }),
  endpoint({
    method: 'POST',
    path: '/keys',
    tag,
    summary: 'Create an API key',
    description: 'The key is shown only in this response.',
    minRole,
    body: newKey,
    responses: { 201: createdKey },
    errors: [],
    run: call => createKeyAudited(call.db, call, call.body.name),
  }),
  endpoint({
    method: 'PATCH',
    path: '/keys/{key_id}',
    tag,
    summary: 'Rename, disable or enable an API key',
    minRole,
    body: keyChange,
    responses: { 200: apiKey },
    errors: ['KEY_NOT_FOUND'],
    run: call => changeKeyAudited(call.db, call, call.params.key_id!, call.body),
  }),
  endpoint({
    method: 'DELETE',
    path: '/keys/{key_id}',
    tag,
    summary: 'Delete an API key',
    minRole,
    responses: { 204: null },
    errors: ['KEY_NOT_FOUND'],
    run: call => deleteKeyAudited(call.db, call, call.params.key_id!),
  }),
]
