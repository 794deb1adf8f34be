import type { Config } from '../../core/config.ts'
import type { Vault } from '../../core/crypto.ts'
import type { Db } from '../../core/db.ts'
import type { Limiter } from '../../limits/limiter.ts'
import type { Uploading } from '../../media/media.ts'
import type { Hall } from './hall.ts'

/** What the visitors' operations need in addition to the request. */
export interface ChatDeps extends Uploading {
  config: Config
  db: Db
  vault: Vault
  limiter: Limiter
  hall: Hall
}
