import assert from 'node:assert/strict'
import { createCipheriv, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createVault } from './crypto.ts'

const key = randomBytes(32)
const vault = createVault(key)

test('an encrypted secret can be decrypted only with its own label', () => {
  const sealed = vault.seal('secret', 'webhooks acme')
  assert.equal(vault.open(sealed, 'webhooks acme'), 'secret')
  for (const label of ['webhooks rival', 'answers acme', ''])
    assert.throws(() => vault.open(sealed, label), { message: /unable to authenticate/ })
})

test('a secret that was encrypted before labels existed can still be decrypted', () => {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const body = Buffer.concat([cipher.update('secret'), cipher.final()])
  assert.equal(vault.open(Buffer.concat([nonce, cipher.getAuthTag(), body]), 'webhooks acme'), 'secret')
})

test('an encrypted secret cannot be decrypted with another key', () => {
  const sealed = vault.seal('secret', 'webhooks acme')
  assert.throws(() => createVault(randomBytes(32)).open(sealed, 'webhooks acme'))
})
