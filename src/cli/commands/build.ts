import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig, root } from '../../core/config/config.ts'
import { SetupError } from '../../core/config/setup-error.ts'
import { findBinaries } from '../../core/db/postgres/binaries.ts'
import type { Command } from '../command.ts'

/** Runs in a separate process, because the build tools are not part of the server. */
function buildPages(): void {
  const script = join(root, 'web/build.ts')
  // A container image has built pages, but not their sources.
  if (!existsSync(script)) return
  const { status } = spawnSync(process.execPath, [script], { cwd: root, stdio: ['ignore', 2, 2] })
  if (status !== 0) throw new SetupError('The pages could not be built. The reason is above')
}

function requirePages(): void {
  const missing = ['dashboard', 'widget'].filter(name => !existsSync(join(root, 'web/dist', name, 'stamp')))
  if (missing.length)
    throw new SetupError(
      `web/dist lacks ${missing.join(' and ')}; run npm ci --include=dev, then this command again`,
    )
}

export const buildCommands: Command[] = [
  {
    name: 'build',
    about: 'Builds the pages and prepares the Postgres libraries, for a server that runs as another user',
    async run() {
      buildPages()
      requirePages()
      if (!readConfig().databaseUrl) findBinaries()
      return { result: { built: ['dashboard', 'widget'], folder: join(root, 'web/dist') } }
    },
    print: ({ folder }: { folder: string }) => `The dashboard and the widget are built, in ${folder}`,
  },
]
