export {
  changePassword,
  checkSettings,
  createUser,
  endOwnSessions,
  endSessions,
  openUsers,
  type SignedInSession,
  type Users,
} from './accounts.ts'
export { spendAttempts } from './attempts.ts'
export { mountAuthRoutes } from './auth-routes.ts'
export { deleteExpiredRows } from './expired-rows.ts'
export { headersOf } from './headers.ts'
export {
  addMailedToken,
  createLink,
  deleteLinks,
  getLink,
  hashLink,
  type Link,
  linkUrlOf,
  useLink,
} from './links.ts'
export { findPicture, removePicture, setPicture } from './pictures.ts'
export {
  deleteSecondFactor,
  findGroups,
  findUser,
  findUserByEmail,
  hasPassword,
  hasSecondFactorOrPasskey,
  storedEmail,
  type UserRow,
  updateEmailVerified,
  updateUser,
} from './queries.ts'
export type { SecurityChange } from './security-changes.ts'
export { endOtherSessions, listSessions, revokeSession } from './sessions.ts'
