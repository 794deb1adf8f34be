import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { mustRun } from '../must-run.ts'
import { cache, document, own } from './places.ts'

const version = 'v2.8.2'
const generator = `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@${version}`

async function installGenerator(): Promise<string> {
  const folder = join(cache, `oapi-codegen-${version}`)
  const program = join(folder, 'oapi-codegen')
  const env = { ...process.env, GOBIN: folder, GOFLAGS: '-buildvcs=false' }
  if (!existsSync(program)) await mustRun('go', ['install', generator], { env })
  return program
}

/** Generates the client, compiles it with main.go, and runs the result. */
export async function tryGo(folder: string, server: string, key: string): Promise<void> {
  const program = await installGenerator()
  cpSync(join(own, 'go'), folder, { recursive: true })
  cpSync(document, join(folder, 'openapi.json'))
  const options = { cwd: folder, env: { ...process.env, GOFLAGS: '-mod=readonly -buildvcs=false' } }
  await mustRun('mkdir', ['-p', 'deskbell'], options)
  await mustRun(program, ['-config', 'generator.yaml', 'openapi.json'], options)
  await mustRun('go', ['vet', './...'], options)
  await mustRun('go', ['run', '.', server, key], options)
}
