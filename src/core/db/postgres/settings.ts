import { renameSync, writeFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import type { SystemAccount } from './account.ts'
import { changeOwner } from './cluster.ts'

const mb = 2 ** 20

/** Settings for low memory when idle and good speed under load. Written at every start, so that those of a new version reach old folders. */
export function writeSettings(cluster: string, account: SystemAccount, more: Record<string, string>): void {
  const path = join(cluster, 'deskbell.conf')
  const draft = `${path}.${process.pid}`
  const lines = Object.entries({ ...chooseSettings(), ...more })
  writeFileSync(
    draft,
    lines.map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`).join(''),
    {
      mode: 0o600,
    },
  )
  changeOwner(draft, account)
  renameSync(draft, path)
}

function chooseSettings(): Record<string, string> {
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
  const share = (part: number, least: number, most: number) =>
    `${Math.floor(Math.min(Math.max(memory / part, least * mb), most * mb) / mb)}MB`
  return {
    listen_addresses: '',
    port: '5432',
    unix_socket_permissions: '0700',
    max_connections: '100',
    shared_buffers: share(8, 128, 1024),
    effective_cache_size: share(2, 256, 1_048_576),
    maintenance_work_mem: share(32, 64, 512),
    work_mem: '32MB',
    huge_pages: 'off',
    wal_buffers: '4MB',
    wal_compression: 'on',
    max_wal_size: '2GB',
    checkpoint_timeout: '15min',
    random_page_cost: '1.1',
    jit: 'off',
    max_logical_replication_workers: '0',
    autovacuum_naptime: '30s',
    autovacuum_vacuum_scale_factor: '0.05',
    autovacuum_analyze_scale_factor: '0.05',
    autovacuum_vacuum_cost_delay: '1ms',
    timezone: 'UTC',
    log_timezone: 'UTC',
    lc_messages: 'C',
    // "log" omits errors of single statements, because the application receives and logs these.
    log_min_messages: 'log',
    log_checkpoints: 'off',
    log_line_prefix: '%m [%p] ',
  }
}
