import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import nodemailer from 'nodemailer'
import { acceptsConnections, makeFolderWithoutSpace } from './external-server.ts'
import { freePort } from './free-port.ts'
import { mustRun } from './must-run.ts'
import { until } from './until.ts'

export interface Queued {
  sender: string
  recipients: { address: string; delay_reason?: string }[]
}

export interface Postfix {
  port: number
  /** Sends an email to it by SMTP. */
  send(from: string, to: string[], mail: string | Buffer): Promise<unknown>
  listQueue(): Promise<Queued[]>
  /** Tries to deliver all queued emails immediately. */
  flush(): Promise<unknown>
}

interface Options {
  /** Lines of main.cf. In these and in the tables, paths in /etc/postfix become paths in its own folder. */
  settings: string
  /** Lookup tables by file name. */
  tables: Record<string, string>
  /** The lines of /etc/aliases. */
  aliases?: string
}

const mainConfig = (folder: string, settings: string): string => `
compatibility_level = 3.6
queue_directory = ${folder}/queue
data_directory = ${folder}/data
maillog_file = ${folder}/log
maillog_file_prefixes = ${folder}
myhostname = mx.example.net
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
alias_maps = hash:${folder}/aliases
${settings}
`

/** The columns are: name, type, private, unprivileged, chroot, wake-up time, maximum number of processes, command. */
const services = (port: number): string => `
127.0.0.1:${port} inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
showq unix n - n - - showq
error unix - - n - - error
retry unix - - n - - error
local unix - n n - - local
smtp unix - - n - - smtp
relay unix - - n - - smtp
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
`

async function prepare(folder: string, port: number, options: Options): Promise<void> {
  chmodSync(folder, 0o755)
  const localise = (text: string) => text.replaceAll('/etc/postfix', folder)
  writeFileSync(join(folder, 'main.cf'), mainConfig(folder, localise(options.settings)))
  writeFileSync(join(folder, 'master.cf'), services(port))
  writeFileSync(join(folder, 'aliases'), `${options.aliases ?? ''}\n`)
  await mustRun('postalias', ['-c', folder, `hash:${folder}/aliases`])
  for (const [name, lines] of Object.entries(options.tables)) {
    writeFileSync(join(folder, name), localise(lines))
    await mustRun('postmap', ['-c', folder, `hash:${folder}/${name}`])
  }
  mkdirSync(join(folder, 'queue'))
  // Creates the folders of the queue.
  await mustRun('postfix', ['-c', folder, 'check'])
}

async function startMaster(folder: string, port: number): Promise<ChildProcess> {
  const programs = (await mustRun('postconf', ['-c', folder, '-h', 'daemon_directory'])).trim()
  const child = spawn(join(programs, 'master'), ['-c', folder], { cwd: '/', stdio: 'ignore' })
  await until(() => {
    if (child.exitCode !== null)
      throw new Error(`postfix ended with ${child.exitCode}: ${readFileSync(join(folder, 'log'), 'utf8')}`)
    return acceptsConnections(port)
  })
  return child
}

/** Starts a Postfix server for this test, with SMTP on a free port. Only root can do this. */
export async function startPostfix(
  context: { after(run: () => unknown): void },
  options: Options,
): Promise<Postfix> {
  const folder = makeFolderWithoutSpace(context)
  const port = await freePort()
  await prepare(folder, port, options)
  const child = await startMaster(folder, port)
  context.after(async () => {
    child.kill()
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  process.once('exit', () => child.kill())
  return {
    port,
    async send(from, to, raw) {
      const transport = nodemailer.createTransport({ host: '127.0.0.1', port, ignoreTLS: true })
      await transport.sendMail({ envelope: { from, to, use8BitMime: true } as never, raw })
      transport.close()
    },
    async listQueue() {
      const lines = (await mustRun('postqueue', ['-c', folder, '-j'])).split('\n').filter(Boolean)
      return lines.map(line => JSON.parse(line) as Queued)
    },
    flush: () => mustRun('postqueue', ['-c', folder, '-f']),
  }
}
