import { stringOf } from '../../core/objects.ts'
import { UserError } from '../../core/user-error.ts'

/** Opens a file or folder that the user has named. Throws a UserError if it cannot be read. */
export function orUserError<T>(path: string, open: () => T): T {
  try {
    return open()
  } catch (error) {
    const code = stringOf(error, 'code')
    throw code === undefined
      ? error
      : new UserError(`Cannot read ${path} (${code}); check the path and its permissions`)
  }
}
