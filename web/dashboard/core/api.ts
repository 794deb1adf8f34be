import createClient from 'openapi-fetch'
import type { paths } from '../api.d.ts'
import { loseConnection } from './connection.ts'
import { Failure } from './failure.ts'
import { awaitRenewal } from './session.ts'

/** A 502 in JSON is from Deskbell, for an email or a file that could not be sent. Others are from a proxy. */
const isUnreachable = ({ status, headers }: Response): boolean =>
  status >= 502 && status <= 504 && !(status === 502 && headers.get('content-type')?.includes('json'))

async function send(request: Request): Promise<Response> {
  try {
    const answer = await fetch(request)
    if (isUnreachable(answer)) loseConnection()
    return answer
  } catch (error) {
    if (request.signal.aborted) throw error
    loseConnection()
    throw new Failure(0, null)
  }
}

/** If the session has ended, waits for a new sign-in and repeats the call. */
async function ask(request: Request): Promise<Response> {
  const again = request.clone()
  const answer = await send(request)
  const renewed = answer.status === 401 ? awaitRenewal() : null
  if (!renewed) return answer
  await renewed
  return ask(again)
}

/** Every operation of /api/dashboard, typed by its OpenAPI document: `take(api.GET('/me'))`. */
export const api = createClient<paths>({ baseUrl: `${location.origin}/api/dashboard`, fetch: ask })

interface Taken<T> {
  data?: T
  error?: unknown
  response: Response
}

/** Returns the response body, or throws a Failure. */
export async function take<T>(asked: Promise<Taken<T>>): Promise<T> {
  const { data, error, response } = await asked
  if (!response.ok) throw new Failure(response.status, error, response.headers)
  return data as T
}
