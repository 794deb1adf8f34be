import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { exactForms, programs } from '../../bench/short/forms.ts'
import { root } from '../../src/core/config/config.ts'
import { needs } from '../needs.ts'
import { run } from './program.ts'

/** Tests a bench whose promise holds however busy the machine is. */
export function testBench(name: string): void {
  const program = programs[name]
  test(
    `bin/bench ${name} keeps its promise in a short form`,
    program ? needs(program) : {},
    async context => {
      const options = exactForms[name]!.split(' ')
      const bench = run(process.execPath, [join(root, 'bench/main.ts'), name, ...options])
      context.after(() => void bench.child.kill())
      const { status, stdout, stderr } = await bench.ended
      assert.equal(status, 0, `${stdout}\n${stderr}`)
      assert.notEqual(stdout, '')
    },
  )
}
