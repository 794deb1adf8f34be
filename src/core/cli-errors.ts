import { SetupError } from './config/setup-error.ts'
import { ApiError } from './errors.ts'
import { UserError } from './user-error.ts'

/** Turns the error of a command into an error of the dashboard's API: its reason as a code with values, and its message. */
export async function asApiErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof UserError || error instanceof SetupError)
      throw new ApiError('NOT_POSSIBLE', { reason: 'other', ...error.reason, message: error.message })
    throw error
  }
}
