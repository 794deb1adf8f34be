import type { Config } from '../../../core/config/config.ts'
import type { Vault } from '../../../core/crypto.ts'
import { createGuardedClient } from '../../../core/http/guarded-request.ts'
import { type BotAccess, type BotApi, createBotApi } from './client.ts'

/** Connects to the bots' Bot API servers. */

export interface BotApiDeps {
  config: Pick<Config, 'publicUrl' | 'webhookAllowedCidrs'>
  vault: Vault
}

export interface BotApis {
  connect(access: BotAccess): BotApi
  close(): void
}

export function createBotApis(deps: Pick<BotApiDeps, 'config'>): BotApis {
  const client = createGuardedClient(deps)
  return { connect: access => createBotApi(access, client), close: () => client.close() }
}
