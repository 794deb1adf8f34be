import { parseMail } from './parse.ts'
import { parseByPostalMime } from './postal.ts'
import type { ReadAttempt } from './worker.ts'

/** Runs one attempt in a worker. */
export const readAttempt: ReadAttempt = (path, folder, attempt) =>
  attempt === 'postal-mime' ? parseByPostalMime(path, folder) : parseMail(path, folder, attempt === 'rough')
