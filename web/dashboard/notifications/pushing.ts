import { queryClient } from '../core/query.ts'
import { meQuery } from '../users/me.ts'

const place = 'deskbell-push'

/** Whether the signed-in person has turned on notifications in this browser while Deskbell is closed. */
export function isPushing(): boolean {
  try {
    const { user } = queryClient.getQueryData(meQuery.queryKey) ?? {}
    return user !== undefined && localStorage.getItem(place) === user.id
  } catch {
    return false
  }
}

/** Another person who signs in here makes the choice again. */
export function rememberPushing(userId: string | null): void {
  try {
    if (userId === null) localStorage.removeItem(place)
    else localStorage.setItem(place, userId)
  } catch {
    // Without storage, the registration is not renewed after the next sign-in.
  }
}
