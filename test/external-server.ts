import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Helpers for starting the tests' own Dovecot, Postfix and Exim. */

/** Some settings of these programs do not accept a path with a space. */
export function makeFolderWithoutSpace(context: { after(run: () => unknown): void }): string {
  let parent = tmpdir()
  while (parent.includes(' ')) parent = dirname(parent)
  const folder = mkdtempSync(join(parent, 'deskbell-server-'))
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Whether a server on this port sends its greeting. */
export const acceptsConnections = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    socket.once('data', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
