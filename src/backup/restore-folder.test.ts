import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Archive } from './archive.ts'
import { restoreInFolder } from './restore-folder.ts'

test('reports why a restore failed, even if its files cannot be removed', async context => {
  const dataDir = mkdtempSync(join(tmpdir(), 'deskbell-place-'))
  context.after(() => rmSync(dataDir, { recursive: true, force: true }))
  const place = { dataDir, databaseUrl: 'postgres://localhost/none', secretKey: Buffer.alloc(32) }
  const archive = { manifest: { created_at: '', tables: [], files: [] } } as unknown as Archive
  const restored = restoreInFolder(place, archive, async () => {
    rmSync(dataDir, { recursive: true })
    throw new Error('The archive is damaged')
  })
  await assert.rejects(
    restored,
    /The archive is damaged; what the restore wrote into .* could not be deleted: ENOENT/,
  )
})
