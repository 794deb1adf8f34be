import { loadSecretKey, verifySecretKey } from '../../core/config/secret-key.ts'
import { createVault, type Vault } from '../../core/crypto.ts'
import type { CliSession } from '../session.ts'

/** Opens the key that encrypts the secrets of mailboxes and signs Message-IDs. */
export async function openMailVault({ config, db }: CliSession): Promise<Vault> {
  const key = loadSecretKey(config)
  await verifySecretKey(db, key)
  return createVault(key)
}
