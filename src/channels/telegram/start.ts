import type { Config } from '../../core/config/config.ts'
import type { Vault } from '../../core/crypto.ts'
import type { Db } from '../../core/db/db.ts'
import type { Log } from '../../core/telemetry/log.ts'
import { createBotApis } from './bot-api/bot-apis.ts'
import { startReceiving } from './receiving/receiver.ts'

/** Starts the Telegram work of a process with the role `channels`. */

export interface TelegramDeps {
  config: Config
  db: Db
  vault: Vault
  log: Log
}

export function startTelegram(deps: TelegramDeps): { stop(): Promise<void> } {
  const apis = createBotApis(deps)
  const receiving = startReceiving({ ...deps, apis })
  return {
    async stop() {
      await receiving.stop()
      apis.close()
    },
  }
}
