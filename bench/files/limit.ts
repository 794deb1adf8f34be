import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, ftruncateSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { maxFileBytes } from '../../src/media/limits.ts'
import { uploadBytes } from '../../test/upload.ts'
import { type Stage, tell } from './stage.ts'

/** Uploads a file of `size` bytes and returns the status that the client reads. */
type Client = (stage: Stage, path: string, size: number) => Promise<string>

async function output(command: string, args: string[]): Promise<string> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  let text = ''
  child.stdout.on('data', chunk => {
    text += chunk
  })
  await once(child, 'close')
  return text.trim()
}

const curl =
  (...more: string[]): Client =>
  ({ server, key }, path) =>
    output('curl', [
      '-s',
      '-o',
      '/dev/null',
      '-w',
      '%{http_code}',
      ...['-H', `Authorization: Bearer ${key}`, ...more],
      ...['-F', `file=@${path}`, `${server.url}/api/v1/media/upload`],
    ])

const node =
  (isChunked: boolean): Client =>
  async ({ server, key }, _path, size) =>
    `${(await uploadBytes(`${server.url}/api/v1`, key, size, { isChunked })).status}`

const script = `
import http.client, sys
port, key, path, size = int(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4])
head = b'--b\\r\\nContent-Disposition: form-data; name="file"; filename="a.bin"\\r\\n\\r\\n'
tail = b'\\r\\n--b--\\r\\n'
call = http.client.HTTPConnection('127.0.0.1', port)
call.putrequest('POST', '/api/v1/media/upload')
call.putheader('Authorization', 'Bearer ' + key)
call.putheader('Content-Type', 'multipart/form-data; boundary=b')
call.putheader('Content-Length', str(len(head) + size + len(tail)))
call.endheaders(head)
with open(path, 'rb') as file:
    while part := file.read(65536):
        call.send(part)
call.send(tail)
print(call.getresponse().status)
`

const python: Client = ({ server, key }, path, size) =>
  output('python3', ['-c', script, `${server.port}`, key, path, `${size}`])

const clients: Record<string, Client> = {
  'Node.js': node(false),
  'Node.js, chunked': node(true),
  curl: curl(),
  'curl, chunked': curl('-H', 'Transfer-Encoding: chunked'),
  Python: python,
}

/** A file of the maximum size is accepted. One of a byte more is refused, and every client can read the reason. */
export async function limit(stage: Stage): Promise<boolean> {
  const path = join(stage.dataDir, 'a.bin')
  const wrong: string[] = []
  for (const [size, wanted] of [
    [maxFileBytes, '201'],
    [maxFileBytes + 1, '413'],
  ] as const) {
    const file = openSync(path, 'w')
    ftruncateSync(file, size)
    closeSync(file)
    for (const [name, send] of Object.entries(clients)) {
      const status = await send(stage, path, size)
      if (status !== wanted) wrong.push(`${name} read ${status || 'nothing'} for ${size} bytes`)
    }
  }
  rmSync(path)
  const names = Object.keys(clients).join('; ')
  return tell('F1', wrong.join(', ') || `201, and 413 for a byte more, read by ${names}`, wrong.length === 0)
}
