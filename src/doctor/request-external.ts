import { SetupError } from '../core/config/setup-error.ts'
import { reasonOf } from './check.ts'

const answerTimeoutMs = 8_000

/** Sends a request to a service in the settings. Its errors name the setting. */
export async function requestExternal(
  setting: string,
  url: string,
  init: RequestInit = {},
): Promise<Response> {
  try {
    return await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(answerTimeoutMs) })
  } catch (error) {
    const { host } = new URL(url)
    throw new SetupError(
      `${setting}: ${host} does not respond (${reasonOf(error)}); start it, or correct the address`,
    )
  }
}
