import { ApiError } from './errors.ts'
import { SetupError } from './setup-error.ts'
import { UserError } from './user-error.ts'

/** Turns a refusal of a command into a response of the dashboard's API: the code with its values, and the sentence of the command line. */
export async function asApiErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof UserError || error instanceof SetupError)
      throw new ApiError('NOT_POSSIBLE', { reason: 'other', ...error.reason, message: error.message })
    throw error
  }
}
