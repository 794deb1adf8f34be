import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { basename, join } from 'node:path'
import nodemailer from 'nodemailer'
import { acceptsConnections, makeFolderWithoutSpace } from './external-server.ts'
import { freePort } from './free-port.ts'
import { until } from './until.ts'

/** The paths of the emails of a Maildir folder, in the order of their arrival. */
export function listMaildir(folder: string): string[] {
  const paths = ['new', 'cur'].flatMap(part =>
    readdirSync(join(folder, part)).map(name => join(folder, part, name)),
  )
  // Names begin with seconds and microseconds, which have no leading zeros.
  return paths.sort((one, other) => basename(one).localeCompare(basename(other), 'en', { numeric: true }))
}

interface Context {
  after(run: () => unknown): void
}

export interface Dovecot {
  imapPort: number
  lmtpPort: number
  /** The port where another server, such as Postfix, can check logins. */
  authPort: number
  folder: string
  /** Delivers an email by LMTP. */
  deliver(to: string, mail: string | Buffer): Promise<void>
  /** The path of a Maildir folder, with one file for each email. */
  maildir(user: string, name?: string): string
  stop(): Promise<void>
  /** Restarts on the same ports after `stop`. */
  start(): Promise<void>
  log(): string
}

/** Dovecot does not let root read mail. */
function chooseOwner(): { uid?: number; gid?: number; user: string; group: string } {
  if (process.getuid?.() === 0) return { uid: 65534, gid: 65534, user: 'nobody', group: 'nogroup' }
  return { user: userInfo().username, group: execFileSync('id', ['-gn']).toString().trim() }
}

interface Options {
  /** Users and their passwords. */
  users: Record<string, string>
  /** URL of the token introspection endpoint, for OAuth 2 logins. */
  introspection?: string
  /** The maximum number of processes of each service, such as connections by IMAP. */
  processes?: number
  /** The time zone of its dates, instead of the machine's. */
  timeZone?: string
  /** The capabilities that it announces, instead of all that it has. */
  capabilities?: string
}

const oauthPassdb = (folder: string): string => `
passdb {
  driver = oauth2
  mechanisms = xoauth2 oauthbearer
  args = ${folder}/oauth2.conf
}
auth_mechanisms = plain login xoauth2 oauthbearer
`

interface Ports {
  imap: number
  lmtp: number
  auth: number
}

const configOf = (
  folder: string,
  { imap, lmtp, auth }: Ports,
  owner: ReturnType<typeof chooseOwner>,
  { introspection, processes = 20, capabilities }: Options,
): string => `
base_dir = "${folder}/run"
state_dir = "${folder}/run"
log_path = "${folder}/log"
protocols = imap lmtp
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
default_internal_user = ${owner.user}
default_login_user = ${owner.user}
default_internal_group = ${owner.group}
default_process_limit = ${processes}
mail_location = maildir:${folder}/mail/%n
mail_uid = ${owner.user}
mail_gid = ${owner.group}
first_valid_uid = 1
maildir_copy_with_hardlinks = yes
mail_fsync = never
auth_failure_delay = 0
login_trusted_networks = 127.0.0.1
passdb {
  driver = passwd-file
  args = scheme=PLAIN username_format=%n ${folder}/users
}
${introspection ? oauthPassdb(folder) : ''}
userdb {
  driver = static
  args = uid=${owner.user} gid=${owner.group} home=${folder}/mail/%n allow_all_users=yes
}
service anvil {
  chroot =
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${imap}
  }
  inet_listener imaps {
    port = 0
  }
}
service auth {
  inet_listener auth {
    port = ${auth}
  }
}
service lmtp {
  inet_listener lmtp {
    port = ${lmtp}
  }
}
protocol imap {
  mail_max_userip_connections = 100
  ${capabilities ? `imap_capability = ${capabilities}` : ''}
}
namespace inbox {
  inbox = yes
  separator = /
}
`

const oauthConf = (url: string): string => `
introspection_mode = post
introspection_url = ${url}
username_attribute = email
active_attribute = active
active_value = true
force_introspection = yes
`

function prepare(context: Context, ports: Ports, options: Options): string {
  const folder = join(makeFolderWithoutSpace(context), 'dovecot')
  mkdirSync(join(folder, 'run'), { recursive: true })
  mkdirSync(join(folder, 'mail'))
  const owner = chooseOwner()
  writeFileSync(join(folder, 'dovecot.conf'), configOf(folder, ports, owner, options))
  const users = Object.entries(options.users).map(([name, password]) => `${name}:{PLAIN}${password}`)
  writeFileSync(join(folder, 'users'), `${users.join('\n')}\n`)
  if (options.introspection) writeFileSync(join(folder, 'oauth2.conf'), oauthConf(options.introspection))
  if (owner.uid === undefined) return folder
  chmodSync(join(folder, '..'), 0o755)
  for (const name of ['', 'run', 'mail', ...readdirSync(folder)])
    chownSync(join(folder, name), owner.uid, owner.gid!)
  return folder
}

/** Starts a Dovecot server for this test, with IMAP and LMTP on free ports and emails in Maildir files. */
export async function startDovecot(context: Context, options: Options): Promise<Dovecot> {
  const ports = { imap: await freePort(), lmtp: await freePort(), auth: await freePort() }
  const folder = prepare(context, ports, options)
  const { uid, gid } = chooseOwner()
  const log = () => readFileSync(join(folder, 'log'), 'utf8')
  let child: ChildProcess
  const start = async () => {
    const args = ['-F', '-c', join(folder, 'dovecot.conf')]
    const env = { ...process.env, ...(options.timeZone && { TZ: options.timeZone }) }
    child = spawn('dovecot', args, { uid, gid, env, cwd: '/', stdio: ['ignore', 'ignore', 'inherit'] })
    await until(() => {
      if (child.exitCode !== null) throw new Error(`dovecot ended with ${child.exitCode}: ${log()}`)
      return acceptsConnections(ports.imap)
    })
  }
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  await start()
  context.after(stop)
  process.once('exit', () => child.kill('SIGKILL'))
  return {
    imapPort: ports.imap,
    lmtpPort: ports.lmtp,
    authPort: ports.auth,
    folder,
    deliver: (to, mail) => deliverByLmtp(ports.lmtp, to, mail),
    maildir: (user, name = '') => join(folder, 'mail', user, name && `.${name}`),
    stop,
    start,
    log,
  }
}

/** Delivers the exact bytes by LMTP. */
export async function deliverByLmtp(
  port: number,
  to: string,
  mail: string | Buffer,
  from = 'ann@example.com',
): Promise<void> {
  const transport = nodemailer.createTransport({ host: '127.0.0.1', port, lmtp: true } as never)
  const envelope = { from, to: [to] }
  const { rejectedErrors = [] } = await transport.sendMail({ envelope, raw: mail })
  transport.close()
  // After the content, LMTP has a reply for each recipient.
  if (rejectedErrors.length) throw rejectedErrors[0]
}
