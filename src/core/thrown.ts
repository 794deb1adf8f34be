import { propertyOf } from './objects.ts'

/** What a `catch` receives, which may be anything, as an error with the same properties. */
export function errorOf(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown
  if (typeof thrown !== 'object' || thrown === null) return new Error(String(thrown))
  const message = propertyOf(thrown, 'message')
  return Object.assign(new Error(typeof message === 'string' ? message : 'unknown error'), thrown)
}

/** The code of a system error, such as `ENOENT`, or of a database error. */
export const codeOf = (thrown: unknown): string => String(propertyOf(thrown, 'code') ?? 'unknown error')
