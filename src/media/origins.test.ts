import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { assertBrief } from '../../test/client.ts'
import { needs } from '../../test/needs.ts'
import { startNginx } from '../../test/nginx.ts'
import { type S3, s3Options, settingsOf, startS3 } from '../../test/s3.ts'
import { startServer } from '../../test/server.ts'
import { until } from '../../test/until.ts'
import { formType, makeUpload } from '../../test/upload.ts'
import { newId } from '../core/ids.ts'
import { setBucket } from './buckets.ts'
import { maxFileBytes } from './limits.ts'

/** Files from a bucket, as browsers and proxies see them. */

const s3: S3 | null = s3Options.skip ? null : await startS3()
const place = s3?.makeBucket('files')
const server = await startServer({ delivers: false, ...(place && { config: settingsOf(place) }) })
const { api, db, acme, rival, url } = server
const root = url.replace('/api/v1', '')
after(async () => {
  await server.close()
  await s3?.stop()
})

const policyOf = async (path: string): Promise<string> =>
  (await fetch(root + path)).headers.get('content-security-policy')!

const insertBucket = (endpoint: string, pathStyle: boolean) => db`
  insert into buckets (id, project_id, endpoint, bucket, region, path_style, credentials, is_active)
  values (${newId()}, ${acme.id}, ${endpoint}, 'own', 'us-east-1', ${pathStyle}, '', false)`

test('the policy of a chat allows media from the buckets of its project and no other', async () => {
  await insertBucket('http://127.0.0.1:7070/path', true)
  await insertBucket('https://s3.example.com', false)
  const sources = 'http://127.0.0.1:7070 https://own.s3.example.com'
  for (const path of [`/widget/frame/${acme.id}`, `/chat/${acme.id}`]) {
    const policy = await policyOf(path)
    assert.match(policy, new RegExp(`img-src 'self' data: blob: https: ${sources};`))
    assert.match(policy, new RegExp(`media-src 'self' blob: ${sources};`))
  }
  assert.match(await policyOf(`/chat/${rival.id}`), /media-src 'self' blob:;/)
  await db`delete from buckets where project_id = ${acme.id}`
})

test('the policy of the dashboard allows audio and video from the same sources as images', async () => {
  assert.match(
    await policyOf('/sign-in'),
    /img-src 'self' data: blob: https: http:; media-src 'self' blob: https: http:;/,
  )
})

test('refuses an http bucket for a project whose pages use https', s3Options, async () => {
  const encrypted = { ...server.config, publicUrl: 'https://desk.internal' }
  await assert.rejects(setBucket({ ...server, config: encrypted }, acme.id, place!), {
    message:
      /^The bucket files is at http:.* PUBLIC_URL is https, so use an https address\. Nothing was changed$/,
  })
  assert.equal((await db`select from buckets where project_id = ${acme.id}`).length, 0)
  assert.deepEqual(s3!.listObjects('files'), [])
})

test('a file whose bucket is unreachable is answered with 502 and an explanation', s3Options, async () => {
  const { id } = await makeUpload(api)
  await s3!.rotate('other-secret')
  const words = 'The storage of this file is not responding. Try again.'
  assertBrief(await api.get(`/media/${id}`), 502, words)
  await s3!.stop()
  assertBrief(await api.get(`/media/${id}`), 502, words)
  const before = await api.request('HEAD', `/media/${id}`)
  assert.equal(before.status, 200)
})

test(
  'through the nginx of the docs, a file that is too large gets the error of the API',
  needs('nginx'),
  async context => {
    const proxy = await startNginx(context, [Number(new URL(url).port)])
    const socket = connect(Number(new URL(proxy).port), '127.0.0.1')
    context.after(() => socket.destroy())
    let answer = ''
    socket
      .on('error', () => {})
      .on('data', chunk => {
        answer += chunk
      })
    socket.write(
      `POST /api/v1/media/upload HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${acme.key.key}\r\n` +
        `content-type: ${formType['content-type']}\r\ncontent-length: ${maxFileBytes * 3}\r\n\r\n`,
    )
    await until(() => answer.includes('"error_code":"MEDIA_TOO_LARGE"'))
    assert.match(answer, /^HTTP\/1\.1 413 /)
  },
)
