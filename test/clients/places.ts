import { homedir } from 'node:os'
import { join } from 'node:path'
import { root } from '../../src/core/config/config.ts'

/** The cache for tools that are installed once, which .ci/run uses too. */
export const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'deskbell-ci')

export const own = join(root, 'test/clients')

export const document = join(root, 'docs/openapi.json')
