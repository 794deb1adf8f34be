import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { searchPath } from '../src/core/config/config.ts'
import type { BucketSpec } from '../src/media/media.ts'
import { freePort } from './free-port.ts'
import { needs } from './needs.ts'
import { statusOf } from './run/program.ts'
import { until } from './until.ts'

/** Options of a test with a real S3 server: versitygw, which `.ci/run` builds. */
export const s3Options = needs('versitygw')

export interface S3 {
  /** Creates a bucket with this name. */
  makeBucket(name: string): BucketSpec
  listObjects(name: string): string[]
  /** Replaces the secret; the old one is rejected from now on. */
  rotate(secret: string): Promise<void>
  stop(): Promise<void>
}

export async function startS3(): Promise<S3> {
  const folder = mkdtempSync(join(tmpdir(), 'deskbell-s3-'))
  const data = join(folder, 'data')
  const sidecar = join(folder, 'sidecar')
  for (const path of [data, sidecar]) mkdirSync(path)
  const port = await freePort()
  const endpoint = `http://127.0.0.1:${port}`
  let child: ChildProcess
  async function start(secret: string): Promise<void> {
    child = spawn(
      'versitygw',
      ['--port', `127.0.0.1:${port}`, '--quiet', 'posix', '--sidecar', sidecar, data],
      { env: { PATH: searchPath, ROOT_ACCESS_KEY: 'tester', ROOT_SECRET_KEY: secret }, stdio: 'ignore' },
    )
    await until(async () => (await statusOf(endpoint)) !== null)
  }
  async function end(): Promise<void> {
    if (child.exitCode !== null || !child.kill('SIGTERM')) return
    await once(child, 'exit')
  }
  await start('tester-secret')
  return {
    makeBucket(bucket) {
      mkdirSync(join(data, bucket))
      return {
        endpoint,
        bucket,
        region: 'us-east-1',
        path_style: true,
        access_key_id: 'tester',
        secret_access_key: 'tester-secret',
      }
    },
    listObjects: bucket =>
      readdirSync(join(data, bucket), { recursive: true, withFileTypes: true })
        .filter(entry => entry.isFile())
        .map(entry => entry.name),
    async rotate(secret) {
      await end()
      await start(secret)
    },
    async stop() {
      await end()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The settings that make a bucket the installation's. */
export const settingsOf = (place: BucketSpec) => ({
  s3Endpoint: place.endpoint,
  s3Bucket: place.bucket,
  s3Region: place.region,
  s3AccessKeyId: place.access_key_id,
  s3SecretAccessKey: place.secret_access_key,
  s3PathStyle: 'on' as const,
})
