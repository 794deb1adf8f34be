import { randomBytes } from 'node:crypto'
import { hmacHex, type Vault } from '../core/crypto.ts'
import type { WebhookTarget } from './queries.ts'

export const makeWebhookSecret = (): string => randomBytes(32).toString('hex')

const signatureOf = (secret: string, body: Buffer): string => `sha256=${hmacHex(secret, body)}`

export interface SignedRequest {
  url: string
  headers: Record<string, string>
  body: Buffer
}

/** The label with which the secrets of a project's webhooks are encrypted. */
export const webhookSecretLabel = (projectId: string): string => `webhooks ${projectId}`

/** The request of one attempt. The signature covers exactly the bytes that are sent: specification §6.1 and §6.3. */
export function signRequest(
  vault: Vault,
  projectId: string,
  target: WebhookTarget,
  { id, type, attempt, body }: { id: string; type: string; attempt: number; body: Buffer },
): SignedRequest {
  const label = webhookSecretLabel(projectId)
  const headers: Record<string, string> = {
    'Content-Type': 'application/json',
    'X-Webhook-Signature': signatureOf(vault.open(target.secret, label), body),
    'X-Webhook-Event': type,
    'X-Webhook-Id': id,
    'X-Webhook-Attempt': String(attempt),
  }
  if (target.previous_secret) {
    headers['X-Webhook-Signature-Previous'] = signatureOf(vault.open(target.previous_secret, label), body)
  }
  return { url: target.url, headers, body }
}
