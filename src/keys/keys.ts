export { createKey, deleteKey, disableKey, hashKey, listKeys, makeKey, type NewKey } from './api-keys.ts'
export { listRevokedKeys, type OwnedKey } from './queries.ts'
