import { ApiError } from './errors.ts'
import { SetupError } from './setup-error.ts'
import { UserError } from './user-error.ts'

/** Turns the error of a command, with its message, into an error of the API. */
export async function asApiErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof UserError || error instanceof SetupError)
      throw new ApiError('NOT_POSSIBLE', { reason: error.message })
    throw error
  }
}
