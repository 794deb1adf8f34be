import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startServer } from '../../../../test/server.ts'
import { startEmail } from '../start.ts'
import { deleteMailFolder, makeMailFolder } from './mail-folders.ts'

test('a start deletes the temporary folders of killed processes, and keeps those of running ones and of other hosts', async t => {
  const ended = spawn('true')
  await once(ended, 'exit')
  const running = spawn('sleep', ['60'])
  const current = await makeMailFolder()
  const folderOf = (pid: number) => {
    const folder = current.replace(/-\d+-\w+$/, `-${pid}-Abc123`)
    mkdirSync(join(folder, 'inner'), { recursive: true })
    return folder
  }
  const left = [folderOf(ended.pid!), folderOf(process.pid)]
  const other = folderOf(ended.pid!).replace('deskbell-mail-', 'deskbell-mail-other-')
  mkdirSync(other)
  const used = [current, folderOf(running.pid!), other]
  t.after(async () => {
    running.kill()
    for (const folder of used) rmSync(folder, { recursive: true, force: true })
    await deleteMailFolder(current)
  })
  const server = await startServer({ delivers: false })
  const email = await startEmail(server)
  await email.stop()
  await server.close()
  assert.deepEqual(left.filter(existsSync), [])
  assert.deepEqual(used.filter(existsSync), used)
})
