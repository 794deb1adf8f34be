import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { mustRun } from '../must-run.ts'
import { cache, document, own } from './places.ts'

/** Runs two linters on the OpenAPI document. Any warning is a failure. */

const redocly = '@redocly/cli@2.77.0'
const spectral = '@stoplight/spectral-cli@6.16.3'

async function install(name: string): Promise<string> {
  const folder = join(cache, name.replaceAll('/', '-'))
  const isThere = existsSync(join(folder, 'node_modules/.package-lock.json'))
  const quiet = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund']
  if (!isThere) await mustRun('npm', ['install', '--prefix', folder, ...quiet, name])
  return join(folder, 'node_modules/.bin')
}

async function lintWithRedocly(): Promise<void> {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const program = join(await install(redocly), 'redocly')
  const report = await mustRun(process.execPath, [program, 'lint', '--format=json', document], { env })
  assert.deepEqual(JSON.parse(report).problems, [])
}

async function lintWithSpectral(): Promise<void> {
  const program = join(await install(spectral), 'spectral')
  const rules = ['--ruleset', join(own, 'spectral.yaml'), '--fail-severity', 'hint']
  await mustRun(process.execPath, [program, 'lint', ...rules, document])
}

export async function lint(): Promise<void> {
  await lintWithRedocly()
  await lintWithSpectral()
}
