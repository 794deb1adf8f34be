import fs from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '../core/thrown.ts'
import { releaseRead } from './free-buffers.ts'
import { type Storage, thumbOf } from './storage.ts'

type FileSystem = Pick<typeof fs, 'open' | 'rename'>

async function sync(folder: string, { open }: FileSystem): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Writes and flushes a file completely before renaming it, so that after a crash it is either complete or absent. */
export function openDisk(folder: string, system: FileSystem = fs): Storage {
  const drafts = join(folder, 'incoming')
  const homeOf = (key: string) => join(folder, key.slice(0, 2))
  const remove = (path: string) => fs.rm(path, { force: true })

  async function writeDraft(path: string, content: AsyncIterable<Buffer>): Promise<void> {
    const file = await system.open(path, 'wx', 0o600)
    try {
      await file.writeFile(content)
      await file.sync()
    } finally {
      await file.close()
    }
  }

  return {
    sign: null,
    async write(key, content, isGivenAway = false) {
      const draft = join(drafts, key)
      const home = homeOf(key)
      await fs.mkdir(drafts, { recursive: true })
      const isNew = (await fs.mkdir(home, { recursive: true })) !== undefined
      try {
        await writeDraft(draft, isGivenAway ? releaseRead(content) : content)
        await system.rename(draft, join(home, key))
      } catch (error) {
        await remove(draft)
        throw error
      }
      await sync(home, system)
      if (isNew) await sync(folder, system)
    },
    async read(key, range) {
      try {
        const file = await fs.open(join(homeOf(key), key))
        return file.createReadStream(range)
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return null
        throw error
      }
    },
    async remove(key) {
      for (const name of [key, thumbOf(key)]) {
        await remove(join(drafts, name))
        await remove(join(homeOf(key), name))
      }
    },
  }
}
