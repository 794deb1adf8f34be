import { ApiError } from '../../core/errors.ts'
import { stringOf } from '../../core/objects.ts'
import { UserError } from '../../core/user-error.ts'

/** The option or argument that sets a field: `imap.host` is `--host`. */
function optionOf(field: string): string {
  if (field === 'mail_id') return 'ID'
  const name = field.split('.').at(-1)!.replaceAll('_', '-')
  return /^(?:password|client-secret|refresh-token|token)$/.test(name) ? `--${name}-file` : `--${name}`
}

/** Turns an API error into a one-line error of the command line, which names the option. */
export async function asUserErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const field = stringOf(error.detail, 'field')
    throw new UserError(
      field ? `${optionOf(field)}: ${error.message.replace(` (${field})`, '')}` : error.message,
    )
  }
}
