import { resolve } from 'node:path'
import type { Summary } from '../backup-archive.ts'
import type { Command } from '../command.ts'
import { count } from '../output.ts'

/** Loaded on demand, because the code for archives would be most of what every command loads. */
const archives = () => import('../backup-archive.ts')

const describe = ({ tables, rows, files, bytes }: Summary): string =>
  `${count(rows, 'row')} of ${count(tables, 'table')}, ${count(files, 'file')}, ${(bytes / 2 ** 20).toFixed(1)} MiB in total`

export const backupCommands: Command[] = [
  {
    name: 'backup',
    about:
      'Backs up the installation to a new file, even while the server is running: the database, the files on disk and the secret key. The file gives access to everything. --without-key leaves the key out; without the key, webhook secrets and bucket keys in the backup cannot be read',
    arguments: ['FILE'],
    flags: ['without-key'],
    run: async values => {
      const file = resolve(values.FILE!)
      const { writeBackupArchive } = await archives()
      return { result: await writeBackupArchive(file, values['without-key'] === 'yes') }
    },
    print: (made: Summary) =>
      `${made.file}: ${describe(made)}, ${made.has_secret_key ? 'with' : 'without'} the secret key`,
  },
  {
    name: 'restore',
    about:
      'Restores a backup into an empty DATA_DIR and an empty database. Checks the whole file before it changes anything',
    arguments: ['FILE'],
    run: async values => {
      const file = resolve(values.FILE!)
      const { restoreBackupArchive } = await archives()
      return { result: await restoreBackupArchive(file) }
    },
    print: (made: Summary) => `Restored the state of ${made.created_at}: ${describe(made)}. Start the server`,
  },
]
