import type { Config } from '../../../core/config/config.ts'
import type { Vault } from '../../../core/crypto.ts'
import { addressRuleOf } from '../../../core/http/address.ts'
import { type Agents, createGuardedAgents } from '../../../core/http/guarded-agent.ts'
import { type BotAccess, type BotApi, createBotApi } from './client.ts'

/** The Bot API servers of all bots, which follow the rule for webhooks' targets. */

export interface BotApiDeps {
  config: Pick<Config, 'publicUrl' | 'webhookAllowedCidrs'>
  vault: Vault
}

export interface BotApis {
  connect(access: BotAccess): BotApi
  close(): void
}

/** Idle connections are closed after 4 s, before servers close theirs. */
const agentOptions = {
  keepAlive: true,
  timeout: 4_000,
  autoSelectFamilyAttemptTimeout: 1_500,
}

/** Opened at the first connection, because the documents are generated without settings. */
export function createBotApis({ config }: Pick<BotApiDeps, 'config'>): BotApis {
  let agents: Agents | null = null
  return {
    connect(access) {
      agents ??= createGuardedAgents(agentOptions, addressRuleOf(config).isAllowed)
      return createBotApi(access, agents)
    },
    close() {
      agents?.httpAgent.destroy()
      agents?.httpsAgent.destroy()
    },
  }
}
