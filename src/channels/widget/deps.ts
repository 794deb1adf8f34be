import type { Config } from '../../core/config.ts'
import type { Vault } from '../../core/crypto.ts'
import type { Limiter } from '../../limits/limiter.ts'
import type { Uploading } from '../../media/media.ts'

/** What the operations of visitors need beside the request. */
export interface ChatDeps extends Uploading {
  config: Config
  vault: Vault
  limiter: Limiter
  publicUrl: string
}
