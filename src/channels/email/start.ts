import { addressRuleOf } from '../../core/address.ts'
import type { Config } from '../../core/config.ts'
import type { Vault } from '../../core/crypto.ts'
import type { Db } from '../../core/db.ts'
import type { Log } from '../../core/log.ts'
import { createStorages } from '../../media/media.ts'
import { startFetching } from './fetcher.ts'
import { startHandling } from './handle.ts'
import { startListening } from './listener.ts'
import { deleteAbandonedFolders } from './mail-folders.ts'
import { createMailTaker } from './take-mail.ts'

/** Starts the email work of a process with the role `channels`. */

export interface EmailDeps {
  config: Config
  db: Db
  vault: Vault
  log: Log
}

export async function startEmail(deps: EmailDeps): Promise<{ stop(): Promise<void> }> {
  const { config, log } = deps
  await deleteAbandonedFolders().catch(error =>
    log.warn({ err: error }, 'Could not delete temporary folders of emails'),
  )
  const storages = createStorages(deps)
  const mayReach = addressRuleOf(config).isAllowed
  const listening = await startListening({ ...deps, storages })
  const fetching = startFetching({ ...deps, storages, mayReach })
  const taker = createMailTaker({ ...deps, storages })
  const handling = startHandling({ ...deps, onMail: taker.take })
  return {
    async stop() {
      await Promise.all([listening.stop(), fetching.stop()])
      await handling.stop()
      await taker.close()
    },
  }
}
