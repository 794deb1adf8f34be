import { createHmac } from 'node:crypto'
import type { Vault } from '../../../core/crypto.ts'

/** A bot's secrets: its token, and the path and header that Telegram uses to deliver updates. */

const labelOf = (projectId: string, id: string): string => `telegram_bots ${projectId} ${id}`

export const sealToken = (vault: Vault, projectId: string, id: string, token: string): Buffer =>
  vault.seal(token, labelOf(projectId, id))

export const openToken = (
  vault: Vault,
  { project_id, id, token }: { project_id: string; id: string; token: Buffer },
): string => vault.open(token, labelOf(project_id, id))

export interface WebhookKeys {
  /** The last part of the path. */
  path: string
  /** The content of the header X-Telegram-Bot-Api-Secret-Token. */
  secret: string
}

/** Derived rather than stored, so access to the database is not enough to forge updates. */
export function deriveWebhookKeys(vault: Vault, projectId: string, id: string): WebhookKeys {
  const key = vault.derive('telegram webhooks')
  const deriveKey = (use: string): string =>
    createHmac('sha256', key).update(`${use} ${projectId} ${id}`).digest('base64url')
  return { path: deriveKey('path'), secret: deriveKey('secret') }
}

export const webhookUrlOf = (
  publicUrl: string,
  projectId: string,
  id: string,
  { path }: WebhookKeys,
): string => `${publicUrl.replace(/\/$/, '')}/api/telegram/${projectId}/${id}/${path}`
