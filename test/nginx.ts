import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { makeFolder, statusOf } from './run/program.ts'
import { until } from './until.ts'

/** The code block of this language on a page of docs/. */
export function readExample(page: string, language: string): string {
  const text = readFileSync(join(import.meta.dirname, '../docs', page), 'utf8')
  const [, example] =
    new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(text.replaceAll('\n   ', '\n')) ?? []
  if (!example) throw new Error(`docs/${page} has no example in ${language}`)
  return example
}

/** The example of docs/operations.md without TLS, for processes on these ports. */
function readServer(port: number, upstreams: number[]): string {
  const [first = '', ...others] = upstreams.map(each => `server 127.0.0.1:${each} max_fails=0;`)
  return readExample('operations.md', 'nginx')
    .replace(/^ *ssl_.*\n/gm, '')
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${port};`)
    .replace('server 127.0.0.1:3000 max_fails=0;', first)
    .replace('server 127.0.0.1:3001 max_fails=0;', others.join('\n'))
}

/** Debian's default folders are writable by root only. */
const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']

const configOf = (folder: string, port: number, upstreams: number[]): string => `
daemon off;
${process.getuid?.() === 0 ? 'user root;' : ''}
worker_rlimit_nofile 20000;
pid "${folder}/pid";
error_log "${folder}/error.log";
events { worker_connections 10000; }
http {
  access_log off;
  ${temporary.map(name => `${name}_temp_path "${folder}/${name}";`).join('\n  ')}
  ${readServer(port, upstreams)}
}
`

/** Starts nginx in front of these processes, and returns its address. */
export async function startNginx(
  context: { after(run: () => unknown): void },
  upstreams: number[],
): Promise<string> {
  const folder = makeFolder(context)
  const port = await freePort()
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, configOf(folder, port, upstreams))
  const args = ['-p', folder, '-c', file, '-e', join(folder, 'error.log')]
  const child = spawn('nginx', args, { stdio: ['ignore', 'ignore', 'inherit'] })
  process.once('exit', () => child.kill('SIGKILL'))
  context.after(async () => {
    if (child.exitCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  })
  const url = `http://127.0.0.1:${port}`
  await until(() => {
    if (child.exitCode !== null) throw new Error(`nginx ended with status ${child.exitCode}`)
    return statusOf(`${url}/metrics`)
  })
  return url
}
