import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { acceptsConnections, makeFolderWithoutSpace } from './external-server.ts'
import { freePort } from './free-port.ts'
import { findProgram } from './needs.ts'
import { until } from './until.ts'

interface Route {
  /** The domains of recipients, separated by colons. */
  domains: string
  /** The port of the server for them. */
  port: number
  protocol?: 'smtp' | 'lmtp'
}

interface Options {
  routes: Record<string, Route>
  /** Retry rules. Exim gives up an email that is not delivered and for which there is no rule. */
  retries?: string[]
  /** When senders are told that an email is delayed. */
  delayWarning?: string
}

const router = ([name, { domains }]: [string, Route]): string => `
${name}:
  driver = manualroute
  domains = ${domains}
  route_list = * 127.0.0.1
  self = send
  transport = ${name}
`

const transport = ([name, { port, protocol = 'smtp' }]: [string, Route]): string => `
${name}:
  driver = smtp
  protocol = ${protocol}
  port = ${port}
  allow_localhost
`

function writeConfig(folder: string, port: number, program: string, options: Options): string {
  const { routes, retries = [], delayWarning = '1d' } = options
  const file = join(folder, 'exim.conf')
  const text = `
exim_path = ${program}
spool_directory = ${folder}/spool
log_file_path = ${folder}/log-%slog
pid_file_path = ${folder}/pid
primary_hostname = mx.example.net
local_interfaces = 127.0.0.1
daemon_smtp_ports = ${port}
keep_environment =
tls_advertise_hosts =
acl_smtp_rcpt = accept
delay_warning = ${delayWarning}

begin routers
${Object.entries(routes).map(router).join('')}
begin transports
${Object.entries(routes).map(transport).join('')}
begin retry
${retries.join('\n')}
`
  writeFileSync(file, text)
  return file
}

async function waitForStart(child: ChildProcess, folder: string, port: number): Promise<void> {
  const log = join(folder, 'log-paniclog')
  await until(() => {
    if (child.exitCode !== null)
      throw new Error(
        `Exim ended with ${child.exitCode}: ${existsSync(log) ? readFileSync(log, 'utf8') : ''}`,
      )
    return acceptsConnections(port)
  })
}

/** Starts an Exim server for this test, with SMTP on a free port. It runs its queue every second. Only root can do this. */
export async function startExim(
  context: { after(run: () => unknown): void },
  options: Options,
): Promise<{ port: number }> {
  const folder = makeFolderWithoutSpace(context)
  // Exim writes to it as its own user.
  chmodSync(folder, 0o777)
  const port = await freePort()
  const program = findProgram('exim4')!
  const file = writeConfig(folder, port, program, options)
  const child = spawn(program, ['-C', file, '-bdf', '-q1s'], { stdio: 'ignore' })
  context.after(async () => {
    child.kill()
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  process.once('exit', () => child.kill())
  await waitForStart(child, folder, port)
  return { port }
}
