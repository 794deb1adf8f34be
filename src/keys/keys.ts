export { createKey, deleteKey, disableKey, hashKey, listKeys, makeKey, type NewKey } from './api-keys.ts'
export { clearResponses, type ResponsePlace } from './clear-responses.ts'
export { listRevokedKeys, type OwnedKey } from './queries.ts'
