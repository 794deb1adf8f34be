import { type SpawnOptions, spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'

/** Runs a program to its end and returns its output. Fails with the whole output if the status is not 0. */
export async function mustRun(command: string, args: string[], options: SpawnOptions = {}): Promise<string> {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<number | null>((resolve, reject) =>
    child.once('error', reject).once('close', resolve),
  )
  const [stdout, stderr, status] = await Promise.all([text(child.stdout!), text(child.stderr!), ended])
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}\n${stdout}${stderr}`)
  return stdout
}
