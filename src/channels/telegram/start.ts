import type { Config } from '../../core/config/config.ts'
import type { Vault } from '../../core/crypto.ts'
import type { Db } from '../../core/db/db.ts'
import type { Log } from '../../core/telemetry/log.ts'
import { createStorages } from '../../media/media.ts'
import { createBotApis } from './bot-api/bot-apis.ts'
import { startHandlingUpdates } from './incoming/handle.ts'
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
  const storages = createStorages(deps)
  const receiving = startReceiving({ ...deps, apis })
  const handling = startHandlingUpdates({ ...deps, apis, storages })
  return {
    async stop() {
      await receiving.stop()
      await handling.stop()
      apis.close()
    },
  }
}
